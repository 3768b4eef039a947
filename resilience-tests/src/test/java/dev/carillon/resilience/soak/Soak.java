package dev.carillon.resilience.soak;

import dev.carillon.fixture.Await;
import dev.carillon.resilience.chaos.Fault;
import dev.carillon.resilience.chaos.Scene;
import dev.carillon.resilience.chaos.Surroundings;
import dev.carillon.resilience.cluster.Cluster;
import dev.carillon.resilience.cluster.Commands;
import dev.carillon.resilience.cluster.Journal;
import dev.carillon.resilience.cluster.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Two nodes under a steady load of 500 runs a second, with another fault every minute, sampled
 * every half minute; afterwards every slot must be accounted for and nothing may have grown.
 *
 * <p>The first node is never killed, so that what it holds can be followed to the end.
 */
public final class Soak {
  private static final int SCHEDULES = 500;
  private static final int CALLING = 100;
  private static final Duration SAMPLE = Duration.ofSeconds(30);
  private static final Duration FAULT_AT = Duration.ofSeconds(2);

  private record Disturbance(Fault fault, int victim, Duration hold) {}

  private static final List<Disturbance> DISTURBANCES =
      List.of(
          new Disturbance(Fault.KILL, 1, Duration.ZERO),
          new Disturbance(Fault.FREEZE, 0, Duration.ZERO),
          new Disturbance(Fault.RESTART, 0, Duration.ofSeconds(2)),
          new Disturbance(Fault.CUT, 0, Duration.ZERO),
          new Disturbance(Fault.DELAY, 0, Duration.ofSeconds(20)),
          new Disturbance(Fault.TERMINATED_BACKENDS, 0, Duration.ofSeconds(5)),
          new Disturbance(Fault.FREEZE, 1, Duration.ZERO),
          new Disturbance(Fault.LOST_ACKNOWLEDGEMENTS, 0, Duration.ofSeconds(5)),
          new Disturbance(Fault.PARTITION, 0, Duration.ZERO),
          new Disturbance(Fault.PARTITION_PAST_LEASE, 1, Duration.ZERO));

  private final Cluster cluster;
  private final Journal journal;
  private final int minutes;
  private long begin;
  private final List<Sample> samples = Collections.synchronizedList(new ArrayList<>());
  private final List<String> faults = new ArrayList<>();

  private Soak(Cluster cluster, Journal journal, int minutes) {
    this.cluster = cluster;
    this.journal = journal;
    this.minutes = minutes;
  }

  /**
   * Run the soak.
   *
   * @param arguments how many minutes, the folder for logs and journal, the file for the result,
   *     and what is measured, such as a commit
   */
  public static void main(String[] arguments) throws Exception {
    int minutes = Integer.parseInt(arguments[0]);
    Path folder = Path.of(arguments[1]).toAbsolutePath();
    Path result = Path.of(arguments[2]).toAbsolutePath();
    Files.createDirectories(folder);
    Path data = Commands.folder("carillon-soak");
    boolean held;
    try (var postgres = PostgresServer.create(data, List.of("shared_buffers=128MB"));
        var journal = new Journal(folder.resolve("journal.tsv"), Duration.ofMillis(5));
        var cluster =
            Cluster.start(
                postgres,
                folder.resolve("nodes"),
                2,
                List.of("-Xmx256m", "-XX:+UseSerialGC"),
                Map.of())) {
      SoakReport report = new Soak(cluster, journal, minutes).run();
      report.writeSamples(folder.resolve("samples.tsv"));
      String text =
          report.markdown(
              "%s minutes at %s runs a second, ended %s, %s, %s processors shared by all processes, Java %s."
                  .formatted(
                      minutes,
                      SCHEDULES,
                      Instant.now().truncatedTo(ChronoUnit.MINUTES),
                      arguments[3],
                      Runtime.getRuntime().availableProcessors(),
                      Runtime.version().feature()));
      Files.writeString(result, text);
      System.out.println(text);
      System.out.println("written to " + result);
      held = report.holds();
    } finally {
      Commands.delete(data);
    }
    System.exit(held ? 0 : 1);
  }

  private SoakReport run() throws Exception {
    var load = new SoakLoad(cluster.nodes().get(0).api(), SCHEDULES, CALLING);
    Instant first = load.begin(journal);
    begin = System.nanoTime();
    System.out.printf("%s schedules, each every second, from %s on%n", SCHEDULES, first);
    var sampler = new Thread(this::sample, "sampler");
    sampler.setDaemon(true);
    sampler.start();
    int calls = 0;
    for (int minute = 0; minute < minutes; minute++) {
      await(Duration.ofMinutes(minute).plus(FAULT_AT));
      /* The last minute is quiet, so that what the faults left behind can be done. */
      String fault = minute == minutes - 1 ? "none" : disturb(minute);
      await(Duration.ofMinutes(minute + 1));
      int before = calls;
      calls = journal.calls().size();
      System.out.println(progress(minute, fault, calls - before));
    }
    sampler.interrupt();
    sampler.join();
    Instant last = load.end();
    System.out.println("paused at " + last + "; waiting for the last runs");
    Await.until(
        "the end of all runs",
        () -> cluster.postgres().number("select count(*) from carillon.run") == 0);
    return new SoakReport(
        samples, SlotAudit.of(cluster.postgres(), journal.calls(), first, last), faults);
  }

  private String disturb(int minute) throws Exception {
    Disturbance next = DISTURBANCES.get(minute % DISTURBANCES.size());
    next.fault().inflict(new Scene(cluster, Surroundings.untouched(), next.victim(), next.hold()));
    faults.add(next.fault().words());
    return next.fault().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private void sample() {
    for (int count = 1; ; count++) {
      try {
        await(SAMPLE.multipliedBy(count).minusSeconds(1));
        samples.add(Sample.take(seconds(), cluster));
      } catch (InterruptedException e) {
        return;
      } catch (IllegalStateException e) {
        System.out.println("no sample: " + e.getMessage());
      }
    }
  }

  private String progress(int minute, String fault, int calls) {
    List<String> held = new ArrayList<>();
    int known = samples.size();
    if (known > 0) {
      Map<String, Long> values = samples.get(known - 1).values();
      values.forEach((name, value) -> held.add(name + " " + value));
    }
    if (known > 2) {
      Sample then = samples.get(known - 3);
      Sample now = samples.get(known - 1);
      long runs = now.historyRows() - then.historyRows();
      held.add(0, "runs/s %s".formatted(runs / Math.max(1, now.second() - then.second())));
    }
    return "minute %s: %s; calls/s %s; %s"
        .formatted(minute + 1, fault, calls / 60, String.join(", ", held));
  }

  private long seconds() {
    return Duration.ofNanos(System.nanoTime() - begin).toSeconds();
  }

  private void await(Duration sinceBegin) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(begin + sinceBegin.toNanos() - System.nanoTime());
  }
}
