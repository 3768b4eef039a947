package dev.carillon.store.schedule;

import dev.carillon.model.ChangedBy;
import dev.carillon.model.Definition;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.plan.DuePipeline;
import dev.carillon.plan.SlotDue;
import dev.carillon.plan.SlotDue.Obstacle;
import dev.carillon.policy.Pacing;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.calendar.RuleBook;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.time.Due;
import dev.carillon.time.DueRule;
import dev.carillon.time.DueRule.HeldBack;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Runs of slots that nobody has asked for and that have not started, of schedules whose cursors are
 * locked: calendars and quiet hours give them another due time, or end them as a decision.
 */
final class WaitingRuns {
  private final Transaction tx;
  private final RuleBook book;
  private final Instant now;
  private final List<Moved> moved = new ArrayList<>();
  private final List<DecisionStore.Line> dropped = new ArrayList<>();

  WaitingRuns(Transaction tx, RuleBook book, Instant now) {
    this.tx = tx;
    this.book = book;
    this.now = now;
  }

  private record Waiting(long schedule, Instant slot, Instant dueAt, int version) {}

  /** A run that waits, and its new due time. */
  record Moved(long schedule, Instant slot, Instant dueAt) {}

  /** Judge anew those that wait for their due time, and those that are due in quiet time. */
  WaitingRuns replan(List<LockedSchedule> schedules) {
    List<Long> quiet =
        schedules.stream()
            .filter(locked -> rule(locked).heldBack(now).isPresent())
            .map(LockedSchedule::id)
            .toList();
    decide(schedules, find(ids(schedules), quiet, now), now);
    write();
    return this;
  }

  /** Judge those as well that would start by {@code until}, in quiet time. */
  WaitingRuns holdBack(List<LockedSchedule> schedules, Instant until) {
    decide(schedules, find(ids(schedules), ids(schedules), until), until);
    write();
    return this;
  }

  private static List<Long> ids(List<LockedSchedule> schedules) {
    return schedules.stream().map(LockedSchedule::id).toList();
  }

  private DueRule rule(LockedSchedule locked) {
    return book.ruleOrNone(locked.definition());
  }

  private List<Waiting> find(Collection<Long> all, Collection<Long> due, Instant until) {
    return tx.query(
        "lock runs that have not started",
        """
        select schedule_id, slot, due_at, version
          from carillon.run  -- against claims of the same runs, which come first
         where schedule_id = any(:ids)
           and (due_at > :now or (schedule_id = any(:due) and due_at <= :until))
           and trigger = 'scheduled'
           and state = 'pending'
           and attempt = 0
           and created_by is null
           and ordinal = 0
         order by schedule_id, slot
           for update
        """,
        bind ->
            bind.set("now", now)
                .set("until", until)
                .array("ids", "bigint", all, id -> id)
                .array("due", "bigint", due, id -> id),
        row ->
            new Waiting(
                row.number("schedule_id"),
                row.instant("slot"),
                row.instant("due_at"),
                row.integer("version")));
  }

  private void decide(List<LockedSchedule> schedules, List<Waiting> all, Instant until) {
    Map<Long, List<Waiting>> runs = all.stream().collect(Collectors.groupingBy(Waiting::schedule));
    for (LockedSchedule locked : schedules) {
      new Judgement(locked, until).of(runs.getOrDefault(locked.id(), List.of()));
    }
  }

  private Optional<Definition> earlier(Waiting run) {
    return tx.first(
        "find what an earlier version says",
        """
        select schedule.key, version.target, version.payload, version.definition, version.tags
          from carillon.schedule
          join carillon.schedule_version as version
            on version.schedule_id = schedule.id
         where schedule.id = :schedule
           and version.version = :version
        """,
        bind -> bind.set("schedule", run.schedule).set("version", run.version),
        DefinitionColumns::read);
  }

  /** What becomes of the runs of one schedule. */
  private final class Judgement {
    private final LockedSchedule locked;
    private final boolean paced;
    private final Instant until;
    private final Map<Integer, Definition> definitions = new HashMap<>();
    private final Map<Instant, Instant> slotByDue = new HashMap<>();
    private int apart;

    Judgement(LockedSchedule locked, Instant until) {
      this.locked = locked;
      definitions.put(locked.schedule().version(), locked.definition());
      this.paced = locked.definition().pacing() == Pacing.FINISH;
      this.until = until;
    }

    void of(List<Waiting> runs) {
      runs.forEach(this::judge);
    }

    /* A run of an earlier version goes by what that says. */
    private Definition definition(Waiting run) {
      return definitions.computeIfAbsent(run.version, any -> known(run));
    }

    /* What an earlier version of the software has stored may be unreadable. */
    private Definition known(Waiting run) {
      try {
        return earlier(run).orElse(locked.definition());
      } catch (IllegalArgumentException | IllegalStateException | ClassCastException e) {
        return locked.definition();
      }
    }

    private void judge(Waiting run) {
      Definition definition = definition(run);
      DueRule rule = book.ruleOrNone(definition);
      var pipeline = new DuePipeline(locked.key(), definition, rule);
      if (!run.dueAt.isAfter(until)) {
        rule.heldBack(later(now, run.dueAt)).ifPresent(held -> holdBack(run, held));
        return;
      }
      SlotDue judged = pipeline.judge(run.slot);
      Instant dueAt = paced && judged.dueAt().isBefore(run.slot) ? run.slot : judged.dueAt();
      Optional<HeldBack> held =
          judged.obstacle().isEmpty() && !dueAt.isAfter(now)
              ? rule.heldBack(now)
              : Optional.empty();
      if (judged.obstacle().isPresent()) {
        drop(run, judged.obstacle().get());
      } else if (held.isPresent()) {
        holdBack(run, held.get());
      } else {
        move(run, judged.due(), dueAt);
      }
    }

    private void holdBack(Waiting run, HeldBack held) {
      if (held.due() instanceof Due.Dropped gone) {
        drop(run, Obstacle.of(gone));
        return;
      }
      Instant end = ((Due.At) held.due()).at();
      if (held.together()) {
        move(run, end, end);
      } else { // a microsecond apart, so that each stays a run
        put(run, end.plus(apart++, ChronoUnit.MICROS));
      }
    }

    private void move(Waiting run, Instant due, Instant dueAt) {
      Optional<Instant> into =
          paced ? Optional.empty() : Optional.ofNullable(slotByDue.putIfAbsent(due, run.slot));
      if (into.isPresent()) {
        dropped.add(line(run, Reason.MERGED, Optional.empty(), into));
      } else {
        put(run, dueAt);
      }
    }

    private void put(Waiting run, Instant dueAt) {
      if (!dueAt.equals(run.dueAt)) {
        moved.add(new Moved(run.schedule, run.slot, dueAt));
      }
    }

    private void drop(Waiting run, Obstacle obstacle) {
      dropped.add(line(run, obstacle.reason(), obstacle.by(), Optional.empty()));
    }
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private static DecisionStore.Line line(
      Waiting run, Reason reason, Optional<String> by, Optional<Instant> into) {
    return new DecisionStore.Line(
        run.schedule, run.version, new DroppedSlots(run.slot, run.slot, 1, reason, by, into));
  }

  int size() {
    return moved.size() + dropped.size();
  }

  boolean changed(long id) {
    return moved(id) + dropped(id) > 0;
  }

  int moved(long id) {
    return (int) moved.stream().filter(one -> one.schedule == id).count();
  }

  int dropped(long id) {
    return (int) dropped.stream().filter(one -> one.schedule() == id).count();
  }

  Optional<Instant> lastDropped(long id) {
    return dropped.stream()
        .filter(one -> one.schedule() == id)
        .map(one -> one.droppedSlots().last())
        .max(Instant::compareTo);
  }

  private void write() {
    if (!moved.isEmpty()) {
      tx.update(
          "move runs that wait",
          """
          update carillon.run
             set due_at = moved.due_at, wake_at = moved.due_at
            from unnest(:ids, :slots, :dues) as moved (id, slot, due_at)
           where run.schedule_id = moved.id
             and run.slot = moved.slot
             and run.ordinal = 0
          """,
          bind ->
              bind.array("ids", "bigint", moved, Moved::schedule)
                  .array("slots", "timestamptz", moved, Moved::slot)
                  .array("dues", "timestamptz", moved, Moved::dueAt));
      new MovedDeadlines(tx, book).follow(moved);
    }
    if (!dropped.isEmpty()) {
      tx.update(
          "drop runs that wait",
          """
          delete from carillon.run
           using unnest(:ids, :slots) as dropped (id, slot)
           where run.schedule_id = dropped.id
             and run.slot = dropped.slot
             and run.ordinal = 0
          """,
          bind ->
              bind.array("ids", "bigint", dropped, DecisionStore.Line::schedule)
                  .array("slots", "timestamptz", dropped, line -> line.droppedSlots().first()));
      DecisionStore.insert(tx, dropped, now);
      new MergedDecisions(tx).follow(dropped, now);
      AuditStore.insert(
          tx,
          dropped.stream()
              .filter(line -> line.droppedSlots().reason() == Reason.QUIET_HOURS)
              .map(line -> SkippedLine.of(line.schedule(), line.droppedSlots()))
              .toList(),
          new ChangedBy(now, "carillon"));
    }
  }
}
