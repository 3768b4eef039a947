package dev.carillon.simulation;

import dev.carillon.model.Definition;
import dev.carillon.model.RunId;
import dev.carillon.policy.Recovery;
import dev.carillon.simulation.Books.Change;
import dev.carillon.simulation.Books.Kept;
import dev.carillon.simulation.Books.Logged;
import dev.carillon.simulation.Books.Try;
import dev.carillon.simulation.Effect.What;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Attempts start on one node, never early, and only the one that has the run ends it. */
final class AttemptLaws {
  private static final int TRIES_DESPITE_LOST_NODES = 3;
  /* Ends that need no word of the handler. */
  private static final Set<String> BY_THE_ENGINE =
      Set.of(
          "node_lost", "worker_lost", "interrupted", "timeout", "unknown_target", "unrecordable");

  private static final Set<String> REFILLED = Set.of("canceled", "skipped");
  private static final Set<String> WITH_ITS_NODE = Set.of("node_lost", "interrupted");

  private final Books books;
  private final Map<RunId, List<Effect>> effects;
  private final Map<String, Integer> retried = new HashMap<>();
  private final Violations violations;

  AttemptLaws(Books books, List<Effect> effects, Violations violations) {
    this.books = books;
    this.effects = effects.stream().collect(Collectors.groupingBy(Effect::run));
    this.violations = violations;
  }

  void check() {
    Map<Long, Kept> schedules =
        books.schedules().stream().collect(Collectors.toMap(Kept::id, one -> one));
    var known = new HashSet<RunId>();
    for (Kept schedule : books.schedules()) {
      schedule.changes().forEach(this::countRetry);
    }
    for (Logged run : books.runs()) {
      known.add(run.id());
      List<Effect> own = effects.getOrDefault(run.id(), List.of());
      counted(run, own);
      ended(run, own);
      outlivesItsNode(run, own);
      neverEarly(run, own);
      Optional.ofNullable(schedules.get(run.id().schedule()))
          .ifPresent(schedule -> bounded(schedule.version(run.version()), run, own));
    }
    effects.keySet().stream()
        .filter(id -> !known.contains(id))
        .forEach(
            id ->
                violations.check(
                    false, "kept", "run %s/%s has started and is gone", id.schedule(), id.slot()));
  }

  private void countRetry(Change change) {
    if (change.action().equals("run.retried")) {
      retried.merge(change.detail("run").orElseThrow(), 1, Integer::sum);
    }
  }

  /* A backfill also begins a life of a run that was canceled or skipped. */
  private int retriedByHand(Logged run) {
    long filledAgain = run.tries().stream().filter(one -> REFILLED.contains(one.code())).count();
    return retried.getOrDefault(run.id().toString(), 0) + (int) filledAgain;
  }

  private static List<Effect> starts(List<Effect> own) {
    return own.stream().filter(effect -> effect.what() == What.STARTED).toList();
  }

  private void counted(Logged run, List<Effect> own) {
    var attempts = new HashSet<Integer>();
    for (Effect start : starts(own)) {
      violations.check(
          attempts.add(start.attempt()),
          "one node at a time",
          "attempt %s of %s started twice",
          start.attempt(),
          run);
      violations.check(
          start.attempt() <= run.attempt(),
          "counted when claimed",
          "attempt %s of %s has started",
          start.attempt(),
          run);
    }
  }

  private void ended(Logged run, List<Effect> own) {
    if (run.state().equals("succeeded")) {
      violations.check(
          saw(run, own, What.FINISHED), "fenced", "%s: its attempt did not finish: %s", run, own);
    } else if (run.state().equals("failed")
        && run.failureCode().filter(BY_THE_ENGINE::contains).isEmpty()) {
      violations.check(
          saw(run, own, What.FAILED), "fenced", "%s: its attempt did not fail: %s", run, own);
    }
  }

  private void outlivesItsNode(Logged run, List<Effect> own) {
    Set<Integer> accepted =
        own.stream()
            .filter(effect -> effect.what() == What.ACCEPTED)
            .map(Effect::attempt)
            .collect(Collectors.toSet());
    boolean lost =
        run.tries().stream()
                .anyMatch(
                    one -> WITH_ITS_NODE.contains(one.code()) && accepted.contains(one.number()))
            || (run.failureCode().filter(WITH_ITS_NODE::contains).isPresent()
                && accepted.contains(run.attempt()));
    violations.check(!lost, "outlives its node", "%s was accepted, and lost with its node", run);
  }

  private static boolean saw(Logged run, List<Effect> own, What what) {
    return own.stream()
        .anyMatch(
            effect ->
                effect.what() == what
                    && effect.attempt() == run.attempt()
                    && run.node().filter(effect.node()::equals).isPresent());
  }

  private void neverEarly(Logged run, List<Effect> own) {
    for (Effect start : starts(own)) {
      violations.check(
          !start.at().isBefore(start.dueAt()),
          "never early",
          "attempt %s of %s, due at %s, started at %s",
          start.attempt(),
          run,
          start.dueAt(),
          start.at());
    }
  }

  private void bounded(Definition definition, Logged run, List<Effect> own) {
    int attempts = definition.policy().retry().attempts();
    int most =
        definition.policy().recovery() == Recovery.FAIL
            ? attempts
            : Math.max(attempts, TRIES_DESPITE_LOST_NODES);
    int lives = 1 + retriedByHand(run);
    violations.check(
        starts(own).size() <= most * lives,
        definition.policy().recovery() == Recovery.FAIL ? "at most once" : "bounded",
        "%s started %s times, of at most %s, retried by hand %s times",
        run,
        starts(own).size(),
        most * lives,
        lives - 1);
    violations.check(
        !run.ofSlot()
            || lives > 1
            || definition.calendar().isPresent() // which may roll it to an earlier day
            || !run.dueAt().isBefore(run.id().slot().minus(definition.jitter().amount())),
        "due by its slot",
        "%s was due at %s",
        run,
        run.dueAt());
    if (lives == 1) {
      run.tries().forEach(one -> backedOff(definition, run, own, one));
    }
  }

  private void backedOff(Definition definition, Logged run, List<Effect> own, Try failed) {
    if (BY_THE_ENGINE.contains(failed.code())) {
      return;
    }
    Instant earliest =
        definition
            .policy()
            .retry()
            .delayAfter(failed.number())
            .map(failed.finishedAt()::plus)
            .orElse(Instant.MAX);
    starts(own).stream()
        .filter(start -> start.attempt() == failed.number() + 1)
        .forEach(
            start ->
                violations.check(
                    !start.at().isBefore(earliest),
                    "never early",
                    "attempt %s of %s started at %s, before its pause was over at %s",
                    start.attempt(),
                    run,
                    start.at(),
                    earliest));
  }
}
