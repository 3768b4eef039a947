package dev.carillon.simulation;

import dev.carillon.model.RunId;
import dev.carillon.simulation.Books.Logged;
import dev.carillon.simulation.Books.Try;
import dev.carillon.simulation.Effect.What;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Runs of a schedule that go one at a time do so, on whichever nodes.
 *
 * <p>An attempt counts until the store takes it for over: what a node does after it lost its lease
 * is beyond anybody's reach, and is fenced.
 */
final class LaneLaws {
  private final Books books;
  private final List<Effect> effects;
  private final Violations violations;

  LaneLaws(Books books, List<Effect> effects, Violations violations) {
    this.books = books;
    this.effects = effects;
    this.violations = violations;
  }

  private record Work(RunId run, int attempt, Instant from, Instant to) {}

  private record Key(RunId run, int attempt) {}

  void check() {
    Map<Long, List<Work>> byLane =
        work().stream().collect(Collectors.groupingBy(work -> work.run.schedule()));
    byLane.values().forEach(this::oneAtATime);
  }

  private void oneAtATime(List<Work> works) {
    works.sort(Comparator.comparing(Work::from).thenComparing(Work::to));
    Work longest = works.get(0);
    for (Work next : works.subList(1, works.size())) {
      violations.check(
          next.run.equals(longest.run) || !next.from.isBefore(longest.to),
          "no overlap",
          "%s ran beside %s",
          next,
          longest);
      longest = next.to.isAfter(longest.to) ? next : longest;
    }
  }

  private List<Work> work() {
    var begun = new HashMap<Key, Instant>();
    var ended = new HashMap<Key, Instant>();
    for (Effect effect : effects) {
      if (effect.what() != What.ACCEPTED) {
        (effect.what() == What.STARTED ? begun : ended)
            .putIfAbsent(new Key(effect.run(), effect.attempt()), effect.at());
      }
    }
    var works = new ArrayList<Work>();
    for (Logged run : books.runs()) {
      if (run.exclusive()) {
        for (Try one : run.tries()) {
          var key = new Key(run.id(), one.number());
          if (!isTooLate(begun, key, one.finishedAt())) {
            add(works, begun, ended, key, one.finishedAt());
          }
        }
        if (run.startedAt().isPresent() && run.finishedAt().isPresent()) {
          var key = new Key(run.id(), run.attempt());
          boolean succeeded = run.state().equals("succeeded");
          if (succeeded || !isTooLate(begun, key, run.finishedAt().get())) {
            add(works, begun, ended, key, run.finishedAt().get());
          }
        }
      }
    }
    return works;
  }

  /* A node that was frozen between its claim and the start may start what others have taken over. */
  private static boolean isTooLate(Map<Key, Instant> begun, Key key, Instant recorded) {
    Instant from = begun.get(key);
    return from != null && from.isAfter(recorded);
  }

  private static void add(
      List<Work> works,
      Map<Key, Instant> begun,
      Map<Key, Instant> ended,
      Key key,
      Instant recorded) {
    Instant from = begun.get(key);
    if (from != null) {
      Instant seen = ended.getOrDefault(key, recorded);
      Instant to = seen.isBefore(recorded) ? seen : recorded;
      works.add(new Work(key.run, key.attempt, from, to.isBefore(from) ? from : to));
    }
  }
}
