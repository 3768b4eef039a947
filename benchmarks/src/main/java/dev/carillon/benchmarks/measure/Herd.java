package dev.carillon.benchmarks.measure;

import dev.carillon.Carillon;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.Event;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** Measures what happens when very many schedules share one second. */
public final class Herd {
  private static final String TARGET = "herd";
  private static final String KEYS = "herd-";
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration MIN_NOTICE = Duration.ofSeconds(65);
  private static final long MAX_WAIT_MINUTES = 30;
  private static final long GRACE_SECONDS = 3;

  private final Database database;
  private final int schedules;
  private final CountDownLatch unstarted;
  private final Bystander outsider = new Bystander();
  private final Bystander insider = new Bystander();
  private final LongAdder planned = new LongAdder();
  private volatile Instant firstPlanned = Instant.MAX;
  private volatile Instant lastPlanned = Instant.MIN;

  Herd(Database database, int schedules) {
    this.database = database;
    this.schedules = schedules;
    this.unstarted = new CountDownLatch(schedules);
  }

  /**
   * What was found.
   *
   * @param creatingSeconds how long it took to create the schedules
   * @param planningSeconds from the first herd run that was planned until the last
   * @param plannedAheadSeconds how long before the due second the last one was planned
   * @param seconds from the due second until the last end was committed
   * @param finished how many runs of that second are durably finished, each in one attempt
   * @param outsider a bystander with a target of its own
   * @param insider a bystander that shares the target of the herd
   * @param heapBytes the most in use after a collection
   * @param residentBytes the most memory the process had
   */
  public record Outcome(
      double creatingSeconds,
      double planningSeconds,
      double plannedAheadSeconds,
      double seconds,
      long finished,
      Punctuality outsider,
      Punctuality insider,
      long heapBytes,
      long residentBytes) {}

  Outcome measure() throws InterruptedException, IOException {
    var memory = new PeakMemory();
    try (var pool = database.pool();
        var carillon = carillon(pool)) {
      carillon.start();
      createBystanders(carillon);
      Instant due =
          Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(110 + schedules / 10_000);
      double creating = create(carillon, due);
      database.sql().run("vacuum (analyze)");
      database.sql().run("checkpoint");
      if (Instant.now().isAfter(due.minus(MIN_NOTICE))) {
        throw new IllegalStateException(
            "the preparations took so long that planning would be late");
      }
      Instant end = awaitEnd(due);
      TimeUnit.SECONDS.sleep(GRACE_SECONDS); // for bystanders whose slot came just before the end
      return new Outcome(
          creating,
          seconds(firstPlanned, lastPlanned),
          seconds(lastPlanned, due),
          seconds(due, end),
          finished(due),
          outsider.between(due, end),
          insider.between(due, end),
          memory.heapBytes(),
          PeakMemory.residentBytes());
    }
  }

  private Carillon carillon(DataSource pool) {
    return Carillon.builder()
        .dataSource(pool)
        .target("bystander", context -> outsider.started(context.slot()))
        .target(
            TARGET,
            context -> {
              if (context.payload().number("number").isPresent()) {
                unstarted.countDown();
              } else {
                insider.started(context.slot());
              }
            })
        .listener(this::onEvent)
        .build();
  }

  private void onEvent(Event event) {
    if (event instanceof Event.Planned plan && plan.schedule().startsWith(KEYS)) {
      Instant now = Instant.now();
      firstPlanned = now.isBefore(firstPlanned) ? now : firstPlanned;
      lastPlanned = now;
      planned.add(plan.runs());
    }
  }

  private static void createBystanders(Carillon carillon) {
    var everySecond = Duration.ofSeconds(1);
    carillon
        .schedules()
        .create(ScheduleDraft.named("outsider").target("bystander").every(everySecond));
    carillon.schedules().create(ScheduleDraft.named("insider").target(TARGET).every(everySecond));
  }

  private double create(Carillon carillon, Instant due) {
    long start = System.nanoTime();
    carillon
        .schedules()
        .createAll(
            IntStream.range(0, schedules)
                .mapToObj(
                    number ->
                        ScheduleDraft.named(KEYS + number)
                            .target(TARGET)
                            .every(DAY, due)
                            .payload("number", number)));
    return (System.nanoTime() - start) / 1e9;
  }

  private Instant awaitEnd(Instant due) throws InterruptedException {
    if (!unstarted.await(MAX_WAIT_MINUTES, TimeUnit.MINUTES)) {
      throw new IllegalStateException(
          "%s of %s runs had not started after %s minutes; %s were planned"
              .formatted(unstarted.getCount(), schedules, MAX_WAIT_MINUTES, planned.sum()));
    }
    String left =
        """
        select count(*)
          from carillon.run
         where target = 'herd'
           and wake_at = ?
           and payload <> '{}'
        """;
    while (database.sql().number(left, due.atOffset(ZoneOffset.UTC)) > 0) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    return Instant.now();
  }

  private long finished(Instant due) {
    return (long)
        database
            .sql()
            .number(
                """
                select count(*)
                  from carillon.history
                  join carillon.schedule
                    on schedule.id = history.schedule_id
                 where history.slot = ?
                   and history.state = 'succeeded'
                   and history.attempt = 1
                   and starts_with(schedule.key, 'herd-')
                """,
                due.atOffset(ZoneOffset.UTC));
  }

  private static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toNanos() / 1e9;
  }
}
