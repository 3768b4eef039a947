package dev.carillon;

import dev.carillon.fixture.Psql;
import dev.carillon.model.AuditEntry;
import dev.carillon.model.AuditFilter;
import dev.carillon.model.Decision;
import dev.carillon.model.Definition;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.Explanation;
import dev.carillon.model.Explanation.Outcome;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleVersion;
import dev.carillon.model.SlotOutcome;
import dev.carillon.model.SlotOutcome.Fate;
import dev.carillon.model.Trigger;
import dev.carillon.plan.Forecast;
import dev.carillon.plan.explain.Explainer;
import dev.carillon.plan.explain.Facts;
import dev.carillon.plan.explain.KnownVersion;
import dev.carillon.plan.explain.NearRun;
import dev.carillon.policy.Pacing;
import dev.carillon.store.calendar.RuleVersions;
import dev.carillon.store.cluster.NodeStore;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.run.FireStore;
import dev.carillon.store.run.RunStore;
import dev.carillon.time.Every;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * All that the tables have of one schedule, read once: what became of its slots, and the facts by
 * which each of them is explained.
 */
final class ExplainBook {
  /**
   * What is recorded of a slot, or expected.
   *
   * @param outcome what became of it
   * @param reason the word of a decision or forecast; else empty
   * @param version who named it; zero for a forecast
   * @param trigger how its run came about
   * @param decidedAt when it was decided about
   * @param by the calendar or quiet hours that decided it; else empty
   * @param mergedInto the slot whose run stands for it
   * @param dueAt when its run is due
   */
  record Entry(
      Outcome outcome,
      String reason,
      int version,
      Trigger trigger,
      Instant decidedAt,
      String by,
      Optional<Instant> mergedInto,
      Optional<Instant> dueAt) {
    static Entry expected(Outcome outcome, Optional<String> why, Instant dueAt, Instant now) {
      String[] words = why.orElse("").split(": ", 2);
      boolean merged = words[0].equals("merged");
      return new Entry(
          outcome,
          words[0],
          0,
          Trigger.SCHEDULED,
          now,
          merged || words.length == 1 ? "" : words[1],
          merged ? Optional.of(Instant.parse(words[1])) : Optional.empty(),
          Optional.of(dueAt));
    }

    boolean isPlanned() {
      return trigger == Trigger.SCHEDULED;
    }

    /** Tell whether it was decided about before its time, so that an edit may have come later. */
    boolean isAhead() {
      return decidedAt.equals(Instant.MIN);
    }
  }

  private final Schedule schedule;
  private final Instant now;
  private final Forecast forecast;
  private final TreeMap<RunId, NearRun> runs = new TreeMap<>();
  private final Map<RunId, Run> whole = new HashMap<>();
  private final TreeMap<Instant, Decision> decisions = new TreeMap<>();
  private final List<ScheduleVersion> versions;
  private final List<AuditEntry> changes;
  private final RuleVersions rules;
  private final Map<UUID, String> nodes;
  private final TreeMap<Instant, Entry> slots = new TreeMap<>();

  ExplainBook(
      DataSource postgres, Schedules schedules, ExplainStory story, Instant start, Instant now) {
    this.now = now;
    schedule = schedules.get(story.key).orElseThrow();
    var database = new Database(postgres);
    forecast = new FireStore(database).forecast(database, schedule, now);
    versions = schedules.versions(story.key);
    var psql = new Psql(postgres);
    changes =
        schedules.audit(AuditFilter.bySchedule(story.key), 1_000).stream()
            .filter(
                entry ->
                    Set.of("paused", "pause_planned", "resumed", "retired", "completed")
                        .contains(entry.action().substring("schedule.".length())))
            .sorted(Comparator.comparing(AuditEntry::id))
            .toList();
    rules =
        RuleVersions.read(
            database,
            versions.stream()
                .flatMap(version -> version.definition().dueCalendars().stream())
                .collect(Collectors.toSet()),
            psql
                .rows(
                    """
                    select created_at from carillon.calendar_version
                     union
                    select created_at from carillon.quiet_hours_version
                     union
                    select deleted_at from carillon.quiet_hours_version where deleted_at is not null
                    """)
                .stream()
                .map(Instant::parse)
                .toList(),
            now);
    foresee(schedules, start);
    readDecisions(schedules);
    readRuns(new RunStore(database), psql);
    nodes =
        NodeStore.names(
            database,
            whole.values().stream()
                .flatMap(run -> run.node().stream())
                .collect(Collectors.toSet()));
  }

  /** Return the slots, each with what became of it. */
  NavigableMap<Instant, Entry> slots() {
    return slots;
  }

  /* Only what is still to come; what has passed is in the tables. */
  private void foresee(Schedules schedules, Instant start) {
    Instant from = start;
    Instant end = Instant.parse("9999-12-31T00:00:00Z");
    while (from.isBefore(end)) {
      List<SlotOutcome> page =
          schedules.fires(schedule.key(), from, now.plus(Duration.ofDays(3)), 1_000).orElseThrow();
      for (SlotOutcome one : page) {
        if (one.decision() == Fate.WILL_RUN || one.decision() == Fate.WILL_NOT_RUN) {
          slots.put(
              one.slot(),
              Entry.expected(Outcome.of(one.decision()), one.reason(), one.dueAt(), now));
        }
      }
      from = page.size() < 1_000 ? end : page.get(999).slot().plusNanos(1_000);
    }
    /* One beyond the days that are looked at, to be the last one's neighbour. */
    forecast
        .between(now.plus(Duration.ofDays(3)).plusNanos(1), end)
        .limit(1)
        .forEach(
            one ->
                slots.put(
                    one.slot(),
                    Entry.expected(
                        one.obstacle().isPresent() ? Outcome.WILL_NOT_RUN : Outcome.WILL_RUN,
                        one.obstacle(),
                        one.dueAt(),
                        now)));
  }

  private void readDecisions(Schedules schedules) {
    for (Decision decision : allDecisions(schedules)) {
      decisions.put(decision.droppedSlots().first(), decision);
      DroppedSlots dropped = decision.droppedSlots();
      var entry =
          new Entry(
              Outcome.DROPPED,
              dropped.reason().name().toLowerCase(Locale.ROOT),
              decision.version(),
              Trigger.SCHEDULED,
              decision.decidedAt().isBefore(dropped.last()) ? Instant.MIN : decision.decidedAt(),
              dropped.by().orElse(""),
              dropped.mergedInto(),
              Optional.empty());
      versions.stream()
          .filter(version -> version.version() == decision.version())
          .flatMap(version -> slots(version.definition(), dropped))
          .forEach(slot -> slots.put(slot, entry));
    }
  }

  private List<Decision> allDecisions(Schedules schedules) {
    var all = new TreeMap<Instant, Decision>();
    Instant from = Instant.EPOCH;
    int before;
    do {
      before = all.size();
      for (Decision one : schedules.decisions(schedule.key(), from, Instant.MAX, 1_000)) {
        all.put(one.droppedSlots().first(), one);
        from = one.droppedSlots().first();
      }
    } while (all.size() > before);
    return List.copyOf(all.values());
  }

  /* After the end of a run, those that are left out are a period apart. */
  private static Stream<Instant> slots(Definition definition, DroppedSlots dropped) {
    if (definition.pacing() == Pacing.FINISH && definition.timing() instanceof Every every) {
      return Stream.iterate(
          dropped.first(),
          slot -> !slot.isAfter(dropped.last()),
          slot -> slot.plus(every.period()));
    }
    return definition.timing().between(dropped.first().minusNanos(1), dropped.last()).stream();
  }

  private void readRuns(RunStore store, Psql psql) {
    List<String> rows =
        psql.rows(
            """
            select slot, ordinal, coalesce(created_by, '')
              from carillon.any_run
             where schedule_id = ?
            """,
            schedule.id());
    for (String row : rows) {
      String[] cells = row.split(" ", -1);
      var id = new RunId(schedule.id(), Instant.parse(cells[0]), Integer.parseInt(cells[1]));
      Run run = store.find(id).orElseThrow();
      whole.put(id, run);
      Optional<String> reason =
          run.reason().or(() -> run.failure().map(one -> one.code() + ": " + one.message()));
      runs.put(
          id,
          new NearRun(
              id,
              run.version(),
              run.trigger(),
              run.dueAt(),
              run.state(),
              reason,
              Optional.of(cells[2]).filter(by -> !by.isEmpty())));
      if (id.ordinal() == 0) {
        slots.put(
            id.slot(),
            new Entry(
                Outcome.valueOf(run.state().name()),
                "",
                run.version(),
                run.trigger(),
                now,
                "",
                Optional.empty(),
                Optional.of(run.dueAt())));
      }
    }
  }

  /** Explain one instant from what was read, as the store would have found it. */
  Explanation explain(Instant at) {
    return Explainer.explain(at, this::facts);
  }

  private Facts facts(Instant at) {
    List<NearRun> nearRuns =
        Stream.concat(
                runs
                    .headMap(new RunId(schedule.id(), at, Short.MAX_VALUE), true)
                    .descendingMap()
                    .values()
                    .stream()
                    .limit(20),
                runs.tailMap(new RunId(schedule.id(), at, Short.MAX_VALUE), false).values().stream()
                    .limit(20))
            .toList();
    List<Decision> near =
        Stream.concat(before(at).stream(), decisions.tailMap(at, false).values().stream().limit(1))
            .toList();
    return new Facts(
        at,
        now,
        schedule,
        forecast,
        Optional.ofNullable(whole.get(new RunId(schedule.id(), at, 0))),
        nearRuns,
        near,
        near(at, nearRuns, near),
        Stream.concat(
                last(changes.stream().filter(one -> !one.changedBy().at().isAfter(at)).toList(), 10)
                    .stream(),
                changes.stream().filter(one -> one.changedBy().at().isAfter(at)).limit(10))
            .toList(),
        rules,
        due(at),
        nodes,
        Duration.ofMinutes(1),
        Duration.ofDays(180));
  }

  /* As the store finds them. */
  private List<Decision> before(Instant at) {
    List<Decision> latest =
        decisions.headMap(at, true).descendingMap().values().stream().limit(300).toList();
    var wanted = new HashSet<>(latest.subList(0, Math.min(16, latest.size())));
    latest.stream()
        .sorted(Comparator.comparing((Decision one) -> one.droppedSlots().last()).reversed())
        .limit(16)
        .forEach(wanted::add);
    return latest.stream().filter(wanted::contains).toList();
  }

  /* As the store finds it. */
  private List<NearRun> due(Instant at) {
    boolean moves =
        versions.stream().anyMatch(version -> !rules.changes(version.definition()).isEmpty());
    return moves
        ? runs.values().stream()
            .filter(run -> run.id().ordinal() == 0 && !run.dueAt().isBefore(at))
            .filter(run -> run.dueAt().isBefore(at.plusSeconds(1)))
            .limit(20)
            .toList()
        : List.of();
  }

  private List<KnownVersion> near(Instant at, List<NearRun> nearRuns, List<Decision> near) {
    var wanted = new HashSet<Integer>(Set.of(schedule.version()));
    nearRuns.forEach(run -> wanted.add(run.version()));
    near.forEach(decision -> wanted.add(decision.version()));
    var oldestFirst = new ArrayList<>(versions);
    oldestFirst.sort(Comparator.comparing(ScheduleVersion::version));
    last(oldestFirst.stream().filter(one -> one.created().at().isBefore(at)).toList(), 1)
        .forEach(one -> wanted.add(one.version()));
    oldestFirst.stream()
        .filter(one -> !one.created().at().isBefore(at))
        .limit(10)
        .forEach(one -> wanted.add(one.version()));
    return oldestFirst.stream()
        .filter(one -> wanted.contains(one.version()))
        .map(
            one ->
                new KnownVersion(
                    one.version(), one.created(), one.retiredAt(), Optional.of(one.definition())))
        .toList();
  }

  private static <T> List<T> last(List<T> list, int count) {
    return list.subList(Math.max(0, list.size() - count), list.size());
  }
}
