package dev.carillon;

import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.Stamp;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Pacing;
import dev.carillon.store.AuditStore;
import dev.carillon.store.RunStore;
import dev.carillon.store.RunStore.Backfill;
import dev.carillon.store.ScheduleStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Runs of a schedule that somebody asks for. Every method is called inside a transaction. */
final class Requests {
  private static final int CHUNK = 1_000;
  private static final int MOST_LOOKED_AT = 100_000;

  private final ScheduleStore schedules;
  private final RunStore runs;
  private final AuditStore audit;

  Requests(ScheduleStore schedules, RunStore runs, AuditStore audit) {
    this.schedules = schedules;
    this.runs = runs;
    this.audit = audit;
  }

  Optional<Run> runNow(String key, Optional<Payload> payload, Optional<Overlap> overlap, Stamp by) {
    return schedules
        .hold(key)
        .map(Map.Entry::getKey)
        .filter(schedule -> schedule.status() != ScheduleStatus.RETIRED)
        .flatMap(schedule -> runNow(schedule, payload, overlap, by));
  }

  private Optional<Run> runNow(
      Schedule schedule, Optional<Payload> payload, Optional<Overlap> overlap, Stamp by) {
    RunId id =
        runs.insertManual(
            schedule,
            payload.orElse(schedule.definition().payload()),
            overlap.orElse(schedule.definition().overlap()),
            by.at(),
            by.by());
    tell(schedule, "schedule.run", Map.of("run", id.toString()), by);
    runs.announce("run");
    return runs.find(id);
  }

  Optional<List<RunId>> backfill(String key, BackfillDraft draft, Stamp by) {
    return schedules
        .hold(key)
        .filter(held -> held.getKey().status() != ScheduleStatus.RETIRED)
        .map(
            held -> {
              Schedule schedule = held.getKey();
              List<Instant> slots = free(schedule, draft, earlier(held.getValue(), by.at()));
              if (slots.isEmpty()) {
                return List.<RunId>of();
              }
              List<RunId> ids =
                  runs.insertBackfill(
                      schedule,
                      spread(slots, draft, by.at()),
                      draft.overlap().orElse(schedule.definition().overlap()),
                      by.by());
              tell(
                  schedule,
                  "schedule.backfilled",
                  Map.of(
                      "from", draft.from().toString(),
                      "to", draft.to().toString(),
                      "runs", ids.size()),
                  by);
              runs.announce("run");
              return ids;
            });
  }

  Optional<List<Instant>> backfillable(String key, BackfillDraft draft, Instant now) {
    return schedules
        .hold(key)
        .filter(held -> held.getKey().status() != ScheduleStatus.RETIRED)
        .map(held -> free(held.getKey(), draft, earlier(held.getValue(), now)));
  }

  /* Slots that are not planned yet are left to planning. */
  private List<Instant> free(Schedule schedule, BackfillDraft draft, Instant latest) {
    if (schedule.definition().pacing() == Pacing.FINISH) {
      throw new IllegalArgumentException(
          "schedule '%s' has no past slots: each begins when a run has ended"
              .formatted(schedule.key()));
    }
    var free = new ArrayList<Instant>();
    var chunk = new ArrayList<Instant>(CHUNK);
    int seen = 0;
    Instant to = earlier(draft.to(), latest);
    for (Instant slot :
        schedule
            .definition()
            .window()
            .between(schedule.definition().timing(), draft.from().minusNanos(1_000), to)) {
      chunk.add(slot);
      if (chunk.size() == CHUNK) {
        addFree(schedule, chunk, free);
      }
      if (++seen == MOST_LOOKED_AT || free.size() >= draft.limit()) {
        break;
      }
    }
    addFree(schedule, chunk, free);
    return free.subList(0, Math.min(free.size(), draft.limit()));
  }

  private void addFree(Schedule schedule, List<Instant> chunk, List<Instant> free) {
    if (!chunk.isEmpty()) {
      Set<Instant> taken = runs.taken(schedule.id(), chunk);
      chunk.stream().filter(slot -> !taken.contains(slot)).forEach(free::add);
      chunk.clear();
    }
  }

  private static List<Backfill> spread(List<Instant> slots, BackfillDraft draft, Instant now) {
    var spread = new ArrayList<Backfill>(slots.size());
    for (int i = 0; i < slots.size(); i++) {
      spread.add(
          new Backfill(slots.get(i), now.plusMillis(draft.spread().toMillis() * i / slots.size())));
    }
    return spread;
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private void tell(Schedule schedule, String action, Map<String, ?> details, Stamp by) {
    audit.insert(List.of(new AuditStore.Line(schedule.id(), action, details)), by);
  }
}
