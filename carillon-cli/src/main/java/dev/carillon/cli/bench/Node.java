package dev.carillon.cli.bench;

import dev.carillon.Carillon;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.Event;
import dev.carillon.event.Listener;
import dev.carillon.server.Pool;
import dev.carillon.target.RunContext;
import java.time.Duration;
import java.time.Instant;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** A node under measurement, as it comes: no setting is changed. */
final class Node implements AutoCloseable {
  private static final String TARGET = "bell";
  private static final int BATCH = 10_000;
  private static final String NUMBER = "number";

  /** Hears which runs start, and whatever else happens. */
  interface Witness extends Listener {
    /** Hear that the handler of run or schedule {@code number}, from 0, was started. */
    void ring(int number, RunContext context);
  }

  private final Pool pool;
  private final Carillon carillon;

  private Node(Pool pool, Carillon carillon) {
    this.pool = pool;
    this.carillon = carillon;
  }

  /** Make a node that does not run yet. */
  static Node on(Scratch database, Witness witness, Progress progress) {
    Pool pool = database.pool();
    return new Node(
        pool,
        Carillon.builder()
            .dataSource(pool.connections())
            .nodeName("bench")
            .target(TARGET, context -> witness.ring(number(context), context))
            .listener(witness)
            .listener(event -> tellTrouble(event, progress))
            .build());
  }

  private static int number(RunContext context) {
    return Math.toIntExact(context.payload().number(NUMBER).orElseThrow());
  }

  private static void tellTrouble(Event event, Progress progress) {
    if (event instanceof Event.TurnFailed failed) {
      progress.note(
          "warning: %s failed and was tried again: %s"
              .formatted(failed.loop().threadName(), failed.problem()));
    }
  }

  /** Create the tables in an empty database: the first node on it does. */
  static void install(Scratch database, Progress progress) {
    try (Node node = on(database, new Unheard(), progress)) {
      node.start();
    }
  }

  /** Add schedules whose first slot is about a year away. */
  static void addIdle(Scratch database, int count, Progress progress, IntConsumer added) {
    Instant later = Instant.now().plus(Duration.ofDays(365));
    inBatches(
        database,
        count,
        progress,
        added,
        (carillon, numbers) ->
            carillon
                .schedules()
                .createAll(
                    numbers.mapToObj(
                        number ->
                            ScheduleDraft.named("idle-" + number)
                                .target(TARGET)
                                .at(later.plusSeconds(number % 86_400)))));
  }

  /** Add one-time runs that are due already. */
  static void addDue(Scratch database, int count, Progress progress, IntConsumer added) {
    inBatches(
        database,
        count,
        progress,
        added,
        (carillon, numbers) ->
            carillon
                .runs()
                .enqueueAll(
                    numbers
                        .mapToObj(number -> RunDraft.of(TARGET).payload(NUMBER, number))
                        .toList()));
  }

  /** Add schedules with a slot at {@code first}, {@code last} and every second between. */
  static void addEverySecond(
      Scratch database, int count, Instant first, Instant last, Progress progress) {
    inBatches(
        database,
        count,
        progress,
        added -> {},
        (carillon, numbers) ->
            carillon
                .schedules()
                .createAll(
                    numbers.mapToObj(
                        number ->
                            ScheduleDraft.named("from-" + first + "-" + number)
                                .target(TARGET)
                                .every(Duration.ofSeconds(1))
                                .from(first)
                                .until(last)
                                .payload(NUMBER, number))));
  }

  private interface Batch {
    void add(Carillon carillon, IntStream numbers);
  }

  private static void inBatches(
      Scratch database, int count, Progress progress, IntConsumer added, Batch batch) {
    try (Node node = on(database, new Unheard(), progress)) {
      for (int from = 0; from < count; from += BATCH) {
        int to = Math.min(count, from + BATCH);
        batch.add(node.carillon, IntStream.range(from, to));
        added.accept(to);
      }
    }
  }

  /** Start to execute. */
  void start() {
    carillon.start();
  }

  @Override
  public void close() {
    carillon.close();
    pool.close();
  }

  private record Unheard() implements Witness {
    @Override
    public void ring(int number, RunContext context) {}

    @Override
    public void on(Event event) {}
  }
}
