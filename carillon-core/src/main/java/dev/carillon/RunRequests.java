package dev.carillon;

import dev.carillon.model.ChangedBy;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.policy.Overlap;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Announcement;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.RunStore;
import dev.carillon.store.run.RunStore.Backfill;
import dev.carillon.store.schedule.ScheduleChanges;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Runs of a schedule that a caller asks for. */
final class RunRequests {
  private final RunStore runs;

  RunRequests(RunStore runs) {
    this.runs = runs;
  }

  Optional<Run> runNow(
      Transaction tx,
      String key,
      Optional<Payload> payload,
      Optional<Overlap> overlap,
      ChangedBy by) {
    return new ScheduleChanges(tx)
        .lock(key)
        .map(Map.Entry::getKey)
        .filter(schedule -> schedule.status() != ScheduleStatus.RETIRED)
        .flatMap(schedule -> runNow(tx, schedule, payload, overlap, by));
  }

  private Optional<Run> runNow(
      Transaction tx,
      Schedule schedule,
      Optional<Payload> payload,
      Optional<Overlap> overlap,
      ChangedBy by) {
    RunId id =
        runs.insertManual(
            tx,
            schedule,
            payload.orElse(schedule.definition().payload()),
            overlap.orElse(schedule.definition().overlap()),
            by.at(),
            by.by());
    tell(tx, schedule, "schedule.run", Map.of("run", id.toString()), by);
    Announcement.RUN.publish(tx);
    return runs.find(tx, id);
  }

  Optional<BackfillResult> backfill(Transaction tx, String key, BackfillDraft draft, ChangedBy by) {
    return new ScheduleChanges(tx)
        .lock(key)
        .filter(held -> held.getKey().status() != ScheduleStatus.RETIRED)
        .map(held -> backfill(tx, held.getKey(), draft, earlier(held.getValue(), by.at()), by));
  }

  private BackfillResult backfill(
      Transaction tx, Schedule schedule, BackfillDraft draft, Instant latest, ChangedBy by) {
    BackfillSlots past = BackfillSlots.of(tx, schedule, draft, latest, runs);
    Map<Instant, Instant> dueAts = spread(past.free(), draft, by.at());
    Overlap overlap = overlap(draft);
    List<RunId> fresh =
        runs.insertBackfill(tx, schedule, due(past.fresh(), dueAts), overlap, by.by());
    List<RunId> again = runs.refill(tx, schedule, due(past.again(), dueAts), overlap, by.by());
    List<RunId> made = Stream.concat(fresh.stream(), again.stream()).sorted().toList();
    if (!made.isEmpty()) {
      tell(
          tx,
          schedule,
          "schedule.backfilled",
          Map.of(
              "from", draft.from().toString(),
              "to", draft.to().toString(),
              "runs", made.size(),
              "again", again.size()),
          by);
      Announcement.RUN.publish(tx);
    }
    return new BackfillResult(
        made.stream().map(RunId::slot).toList(),
        made,
        again.size(),
        past.seen(),
        past.taken(),
        past.more(),
        past.why());
  }

  /* One after the other unless another rule is asked for; and a queue has room for all of them. */
  private static Overlap overlap(BackfillDraft draft) {
    return draft
        .overlap()
        .filter(overlap -> overlap.rule() != Overlap.Rule.QUEUE)
        .orElse(Overlap.IN_TURN);
  }

  Optional<BackfillResult> previewBackfill(
      Transaction tx, String key, BackfillDraft draft, Instant now) {
    return new ScheduleChanges(tx)
        .lock(key)
        .filter(held -> held.getKey().status() != ScheduleStatus.RETIRED)
        .map(
            held -> BackfillSlots.of(tx, held.getKey(), draft, earlier(held.getValue(), now), runs))
        .map(
            past ->
                new BackfillResult(
                    past.free(),
                    List.of(),
                    past.again().size(),
                    past.seen(),
                    past.taken(),
                    past.more(),
                    past.why()));
  }

  private static Map<Instant, Instant> spread(
      List<Instant> slots, BackfillDraft draft, Instant now) {
    var dueAts = new HashMap<Instant, Instant>();
    for (int i = 0; i < slots.size(); i++) {
      dueAts.put(slots.get(i), now.plusMillis(draft.spread().toMillis() * i / slots.size()));
    }
    return dueAts;
  }

  private static List<Backfill> due(List<Instant> slots, Map<Instant, Instant> dueAts) {
    return slots.stream()
        .map(slot -> new Backfill(slot, Objects.requireNonNull(dueAts.get(slot))))
        .toList();
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private void tell(
      Transaction tx, Schedule schedule, String action, Map<String, ?> details, ChangedBy by) {
    AuditStore.insert(tx, List.of(new AuditStore.Line(schedule.id(), action, details)), by);
  }
}
