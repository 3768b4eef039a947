package dev.carillon;

import dev.carillon.model.Decision;
import dev.carillon.model.Explanation;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleVersion;
import dev.carillon.model.Scope;
import dev.carillon.plan.Forecast;
import dev.carillon.plan.explain.Explainer;
import dev.carillon.plan.explain.Facts;
import dev.carillon.plan.explain.KnownVersion;
import dev.carillon.plan.explain.NearRun;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.calendar.RuleVersions;
import dev.carillon.store.cluster.NodeStore;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.FireStore;
import dev.carillon.store.run.RunScope;
import dev.carillon.store.run.RunStore;
import dev.carillon.store.schedule.DecisionStore;
import dev.carillon.store.schedule.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Gathers what is known of a schedule around an instant: a few statements that each read some rows
 * of an index, however long the history is.
 */
final class Explanations {
  private static final Duration MOMENT = Duration.ofSeconds(1);

  private final Database database;
  private final FireStore fires;
  private final RunStore runs;
  private final ScheduleSettings settings;

  Explanations(Database database, ScheduleSettings settings) {
    this.database = database;
    this.fires = new FireStore(database);
    this.runs = new RunStore(database);
    this.settings = settings;
  }

  /** Explain what a caller who reaches {@code scope} may know. */
  Explanation of(Schedule schedule, Instant at, Instant now, Scope scope) {
    return database.inTransaction(
        tx -> Explainer.explain(at, instant -> facts(tx, schedule, instant, now, scope)));
  }

  /* The cursor is read before the runs: a slot that is planned in between is seen twice, not never. */
  private Facts facts(Transaction tx, Schedule schedule, Instant at, Instant now, Scope scope) {
    Forecast forecast = fires.forecast(tx, schedule, now);
    List<NearRun> near = FireStore.around(tx, schedule.id(), at);
    Optional<Run> run = runs.find(tx, new RunId(schedule.id(), at, 0));
    Optional<Run> admitted =
        new RunScope(tx, scope).admitted(run.stream().toList()).stream().findFirst();
    List<Decision> decisions = DecisionStore.around(tx, schedule.id(), at);
    List<KnownVersion> versions = versions(tx, schedule, at, scope, near, decisions);
    RuleVersions rules = rules(tx, versions, new Times(at, now, near, decisions));
    boolean moves =
        versions.stream()
            .flatMap(version -> version.definition().stream())
            .anyMatch(definition -> !rules.changes(definition).isEmpty());
    return new Facts(
        at,
        now,
        schedule,
        forecast,
        admitted,
        scope.isAll() ? near : near.stream().map(NearRun::withoutReason).toList(),
        decisions,
        versions,
        AuditStore.statusChanges(tx, schedule.id(), at),
        rules,
        moves
            ? FireStore.due(tx, schedule.id(), at, at.plus(MOMENT)).stream()
                .map(one -> scope.isAll() ? one : one.withoutReason())
                .toList()
            : List.of(),
        admitted.map(one -> NodeStore.names(tx, nodes(one))).orElse(Map.of()),
        settings.lookahead(),
        settings.retention());
  }

  /** When what is known around an instant was decided. */
  private record Times(Instant at, Instant now, List<NearRun> runs, List<Decision> decisions) {
    Stream<Instant> decided() {
      return Stream.concat(
          runs.stream().filter(run -> run.id().slot().equals(at)).map(NearRun::dueAt),
          decisions.stream()
              .filter(one -> !one.droppedSlots().first().isAfter(at))
              .filter(one -> !one.droppedSlots().last().isBefore(at))
              .map(Decision::decidedAt));
    }

    /* The slot before the instant, or one before that. */
    Optional<Instant> previous() {
      return Stream.concat(
              runs.stream().map(NearRun::id).filter(id -> id.ordinal() == 0).map(RunId::slot),
              decisions.stream()
                  .map(Decision::droppedSlots)
                  .map(slots -> slots.last().isBefore(at) ? slots.last() : slots.first()))
          .filter(slot -> slot.isBefore(at))
          .max(Instant::compareTo);
    }
  }

  private static RuleVersions rules(Transaction tx, List<KnownVersion> versions, Times times) {
    List<String> calendars =
        versions.stream()
            .flatMap(version -> version.definition().stream())
            .flatMap(definition -> definition.dueCalendars().stream())
            .distinct()
            .toList();
    List<Instant> instants =
        Stream.concat(
                Stream.of(times.at, times.now),
                times.decided().flatMap(one -> Stream.of(one, one.minus(1, ChronoUnit.MICROS))))
            .distinct()
            .toList();
    Instant earliest =
        Stream.concat(instants.stream(), times.previous().stream())
            .min(Instant::compareTo)
            .orElse(times.at);
    return RuleVersions.read(tx, calendars, instants, earliest.minus(1, ChronoUnit.MICROS));
  }

  private static List<KnownVersion> versions(
      Transaction tx,
      Schedule schedule,
      Instant at,
      Scope scope,
      List<NearRun> runs,
      List<Decision> decisions) {
    var numbers = new HashSet<Integer>(Set.of(schedule.version()));
    runs.forEach(run -> numbers.add(run.version()));
    decisions.forEach(decision -> numbers.add(decision.version()));
    return ScheduleStore.versionsAround(tx, schedule.id(), at, numbers).stream()
        .map(version -> known(schedule, version, scope))
        .toList();
  }

  private static KnownVersion known(Schedule schedule, ScheduleVersion version, Scope scope) {
    return new KnownVersion(
        version.version(),
        version.created(),
        version.retiredAt(),
        Optional.of(version.definition())
            .filter(definition -> scope.admits(schedule.key(), definition)));
  }

  private static List<UUID> nodes(Run run) {
    return Stream.concat(
            run.node().stream(), run.attempts().stream().flatMap(one -> one.node().stream()))
        .distinct()
        .toList();
  }
}
