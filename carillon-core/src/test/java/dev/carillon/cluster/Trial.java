package dev.carillon.cluster;

import dev.carillon.Carillon;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.cluster.Casualty.Held;
import dev.carillon.cluster.Chaos.Kind;
import dev.carillon.cluster.Chaos.Move;
import dev.carillon.model.RunId;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.store.jdbc.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Some seconds in the life of a cluster: work, chaos, calm, and what there is to audit then. */
final class Trial {
  /** How soon the work of a node that is gone goes on elsewhere: lease, two scans, and leeway. */
  static final Duration TAKEOVER =
      ClusterNode.LEASE.plus(ClusterNode.HEARTBEAT).plus(Duration.ofSeconds(3));

  private final Cluster cluster;
  private final RestartablePostgres postgres;
  private final Carillon door;
  private final String prefix;
  private final List<ScheduleDraft> schedules;
  private final List<RunId> enqueued = new ArrayList<>();
  private final List<Casualty> casualties = new ArrayList<>();
  private final List<Instant> outages = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();
  private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);

  /** Prepare a trial on {@code cluster}, where {@code door} is a scheduler that was not started. */
  Trial(Cluster cluster, RestartablePostgres postgres, Carillon door, String prefix) {
    this.cluster = cluster;
    this.postgres = postgres;
    this.door = door;
    this.prefix = prefix;
    this.schedules = Repertoire.schedules(prefix);
  }

  /** Let it happen; when this returns, all work of the trial is over. */
  void run(Chaos chaos) throws Exception {
    cluster.awaitAllJoined();
    door.schedules().createAll(schedules);
    enqueued.addAll(door.runs().enqueueAll(Repertoire.work(prefix)));
    for (Move move : chaos.moves()) {
      TimeUnit.MILLISECONDS.sleep(move.pause().toMillis());
      counts.merge(move.kind(), 1, Integer::sum);
      make(move);
      ask();
    }
    calm();
  }

  private void make(Move move) throws Exception {
    switch (move.kind()) {
      case KILL -> victim(move).forEach(this::kill);
      case BLACKOUT -> {
        cluster.nodes().forEach(this::kill);
        outages.add(cluster.now());
      }
      case FREEZE -> victim(move).forEach(this::freeze);
      case THAW -> thaw();
      case RESTART -> {
        outages.add(cluster.now());
        postgres.restart(move.way(), move.downtime());
      }
    }
  }

  /* One node at least goes on working, or nobody could take over. */
  private List<NodeProcess> victim(Move move) {
    if (cluster.nodes().stream().filter(node -> !node.isFrozen()).count() < 2) {
      thaw();
    }
    Cluster.await("two nodes to work", () -> cluster.working().size() >= 2);
    List<NodeProcess> working = cluster.working();
    return List.of(working.get(move.pick() % working.size()));
  }

  private void kill(NodeProcess node) {
    boolean wasFrozen = node.isFrozen();
    cluster.kill(node);
    if (!wasFrozen) {
      node.id().ifPresent(id -> casualties.add(casualty(node, id, false)));
    }
    cluster.start(1);
  }

  private void freeze(NodeProcess node) {
    node.freeze();
    casualties.add(casualty(node, node.id().orElseThrow(), true));
  }

  private Casualty casualty(NodeProcess node, UUID id, boolean frozen) {
    Instant at = cluster.now();
    List<Held> held =
        cluster
            .psql()
            .rows(
                """
                select schedule_id, slot, ordinal, attempt
                  from carillon.run
                 where node_id = ?
                   and state = 'running'
                """,
                id)
            .stream()
            .map(Trial::held)
            .toList();
    return new Casualty(node.name(), id, frozen, at, held);
  }

  private static Held held(String row) {
    List<String> cells = List.of(row.split(" "));
    return new Held(
        Long.parseLong(cells.get(0)),
        Instant.parse(cells.get(1)),
        Integer.parseInt(cells.get(2)),
        Integer.parseInt(cells.get(3)));
  }

  /* Only a node that others have given up has anything to learn. */
  private void thaw() {
    for (NodeProcess node : cluster.nodes()) {
      if (node.isFrozen()) {
        UUID id = node.id().orElseThrow();
        long begun = System.nanoTime();
        boolean forgotten =
            Cluster.within(
                outages.isEmpty() ? TAKEOVER : TAKEOVER.plusSeconds(10),
                () -> cluster.psql().rows("select from carillon.node where id = ?", id).isEmpty());
        if (!forgotten) {
          complaints.add(
              "%s was frozen and not declared dead for %s ms"
                  .formatted(node.name(), (System.nanoTime() - begun) / 1_000_000));
        }
        node.thaw();
      }
    }
  }

  /* What is acknowledged in the middle of chaos counts; what is not, may or may not happen. */
  private void ask() {
    try {
      enqueued.add(
          door.runs()
              .enqueue(
                  RunDraft.of(Work.LABEL).payload(Habit.quick(10).payload()).correlation(prefix)));
      door.schedules().runNow(prefix + "quick-queue-100");
      door.schedules().pause(prefix + "quick-allow-0", "chaos");
      door.schedules().resume(prefix + "quick-allow-0");
    } catch (StoreException postgresIsAway) {
      // Nothing was acknowledged, so nothing is promised.
    }
  }

  private void calm() {
    thaw();
    Cluster.await("schedules to be retired", this::retire);
    cluster.awaitAllJoined();
    Cluster.await(
        "the last run to end: " + prefix,
        () -> cluster.psql().rows("select from carillon.run").isEmpty());
    Cluster.await(
        "handlers to hear that nothing they do counts",
        () ->
            cluster
                .psql()
                .rows(
                    """
                    select effect.id
                      from effect
                      join carillon.node
                        on node.id = effect.node
                     where effect.ending is null
                    """)
                .isEmpty());
  }

  private boolean retire() {
    try {
      door.schedules().retireAll(ScheduleFilter.all().tag(Repertoire.TAG));
      return true;
    } catch (StoreException postgresIsAway) {
      return false;
    }
  }

  /** Return how often {@code kind} was done. */
  int count(Kind kind) {
    return counts.getOrDefault(kind, 0);
  }

  /** Return the runs whose existence was acknowledged. */
  Set<RunId> enqueued() {
    return Set.copyOf(enqueued);
  }

  List<Casualty> casualties() {
    return casualties;
  }

  /** Tell whether PostgreSQL or all nodes went away before {@code at} was to be dealt with. */
  boolean outageAfter(Instant at) {
    return outages.stream()
        .anyMatch(outage -> !outage.isBefore(at) && outage.isBefore(at.plus(TAKEOVER)));
  }

  List<String> complaints() {
    return complaints;
  }
}
