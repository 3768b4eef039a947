package dev.carillon;

import dev.carillon.model.ChangedBy;
import dev.carillon.model.Definition;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.Scope;
import dev.carillon.policy.Overlap;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Announcement;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.RunStore;
import dev.carillon.store.run.RunStore.Backfill;
import dev.carillon.store.schedule.ScheduleChanges;
import dev.carillon.template.RunPayload;
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
  private final Scope scope;

  /** Make runs of schedules that {@code scope} reaches. */
  RunRequests(RunStore runs, Scope scope) {
    this.runs = runs;
    this.scope = scope;
  }

  RunRequests within(Scope reached) {
    return new RunRequests(runs, reached);
  }

  Optional<Run> runNow(
      Transaction tx,
      String key,
      Optional<Payload> payload,
      Optional<Overlap> overlap,
      ChangedBy by) {
    return locked(tx, key)
        .map(Map.Entry::getKey)
        .flatMap(
            schedule -> {
              payload.ifPresent(own -> checkTemplate(schedule, own, by.at()));
              RunId id =
                  runs.insertManual(
                      tx,
                      schedule,
                      payload.orElse(schedule.definition().payload()),
                      overlap.orElse(schedule.definition().overlap()),
                      by.at(),
                      by.by());
              audit(tx, schedule, "schedule.run", Map.of("run", id.toString()), by);
              Announcement.RUN.publish(tx);
              return runs.find(tx, id);
            });
  }

  private static void checkTemplate(Schedule schedule, Payload payload, Instant now) {
    Definition definition = schedule.definition().with(one -> one.payload = payload);
    RunPayload.check(schedule.key(), definition, now);
  }

  /* A schedule that is not retired, and the end of what is planned of it. */
  private Optional<Map.Entry<Schedule, Instant>> locked(Transaction tx, String key) {
    return new ScheduleChanges(tx, scope)
        .lock(key)
        .filter(locked -> locked.getKey().status() != ScheduleStatus.RETIRED);
  }

  Optional<BackfillResult> backfill(Transaction tx, String key, BackfillDraft draft, ChangedBy by) {
    return locked(tx, key)
        .map(
            locked ->
                backfill(tx, locked.getKey(), draft, earlier(locked.getValue(), by.at()), by));
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
      audit(
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
    return past.result(made.stream().map(RunId::slot).toList(), made, again.size());
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
    return locked(tx, key)
        .map(
            locked ->
                BackfillSlots.of(tx, locked.getKey(), draft, earlier(locked.getValue(), now), runs))
        .map(past -> past.result(past.free(), List.of(), past.again().size()));
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

  private static void audit(
      Transaction tx, Schedule schedule, String action, Map<String, ?> details, ChangedBy by) {
    AuditStore.insert(tx, List.of(new AuditStore.Line(schedule.id(), action, details)), by);
  }
}
