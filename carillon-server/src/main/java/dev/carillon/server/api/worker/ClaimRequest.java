package dev.carillon.server.api.worker;

import dev.carillon.PullWorkers;
import dev.carillon.model.OutOfScopeException;
import dev.carillon.model.Scope;
import dev.carillon.server.api.TargetLabels;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.read.JsonFields;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a worker asks for.
 *
 * @param worker what it calls itself
 * @param targets the labels it works for
 * @param max how many runs it takes at most
 * @param maxWait how long it waits for the first
 * @param lease how long they are its own
 */
record ClaimRequest(String worker, Set<String> targets, int max, Duration maxWait, Duration lease) {
  /* Well below the time after which a connection counts as idle. */
  static final Duration MAX_WAIT = Duration.ofSeconds(20);
  static final Duration DEFAULT_LEASE = Duration.ofMinutes(1);
  static final int MAX_TARGETS = 100;
  static final int MAX_RUNS = 100;

  private static final int MAX_NAME = 200;

  /** Read what a worker sent; refuse what cannot be. */
  static ClaimRequest read(JsonFields fields, TargetLabels known) {
    Optional<String> worker = worker(fields);
    Set<String> targets = targets(fields, known);
    Optional<Long> max = fields.whole("max", 1, MAX_RUNS);
    Duration maxWait = between(fields, "wait", Duration.ZERO, MAX_WAIT).orElse(Duration.ZERO);
    Duration lease = lease(fields);
    fields.done();
    return new ClaimRequest(
        worker.orElseThrow(), targets, Math.toIntExact(max.orElse(1L)), maxWait, lease);
  }

  /** Return the name of the worker that {@code fields} must have. */
  static Optional<String> worker(JsonFields fields) {
    Optional<String> worker =
        fields.needed("worker", "say who asks: a name that no other worker has");
    worker
        .filter(name -> !isName(name))
        .ifPresent(
            name ->
                fields.error(
                    "worker",
                    "a name has 1 to %s characters, no control characters and no blanks around"
                        .formatted(MAX_NAME)));
    return worker;
  }

  private static boolean isName(String name) {
    return !name.isBlank()
        && name.length() <= MAX_NAME
        && name.equals(name.strip())
        && name.chars().noneMatch(Character::isISOControl);
  }

  /** Return how long runs are to be the worker's own. */
  static Duration lease(JsonFields fields) {
    return between(fields, "lease", PullWorkers.MIN_LEASE, PullWorkers.MAX_LEASE)
        .orElse(DEFAULT_LEASE);
  }

  private static Optional<Duration> between(
      JsonFields fields, String name, Duration least, Duration most) {
    Optional<Duration> value = fields.duration(name);
    value
        .filter(given -> given.compareTo(least) < 0 || given.compareTo(most) > 0)
        .ifPresent(
            given ->
                fields.error(
                    name,
                    "must be from %s to %s"
                        .formatted(ContractText.of(least), ContractText.of(most))));
    return value;
  }

  /* Runs are claimed by target, whatever their schedules are called. */
  private static void checkScope(List<String> labels, Scope scope) {
    if (!scope.isOfTargets()) {
      throw new OutOfScopeException(
          "targets",
          "your token reaches schedules by their tags or keys, but workers fetch runs by target; use"
              + " one whose scope has targets only");
    }
    if (!labels.stream().allMatch(scope::admitsTarget)) {
      throw new OutOfScopeException(
          "targets",
          "your token reaches these targets only: " + String.join(", ", scope.targets()));
    }
  }

  private static Set<String> targets(JsonFields fields, TargetLabels known) {
    if (!fields.has("targets")) {
      fields.error("targets", "say for which targets: a list of their labels");
      return Set.of();
    }
    List<String> labels = fields.texts("targets", MAX_TARGETS).orElse(List.of());
    if (labels.isEmpty() && fields.fine()) {
      fields.error("targets", "name at least one target");
    }
    checkScope(labels, fields.scope());
    known.forWorkers(labels, fields.scope()).forEach(fault -> fields.error("targets", fault));
    return new LinkedHashSet<>(labels);
  }
}
