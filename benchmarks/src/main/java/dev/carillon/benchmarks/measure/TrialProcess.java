package dev.carillon.benchmarks.measure;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.carillon.bench.Contender;
import dev.carillon.bench.Drift;
import dev.carillon.bench.Progress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** A JVM that does one trial, so that no trial warms up, fills or slows that of another. */
public final class TrialProcess {
  private static final String PASSWORD = "BENCHMARK_DATABASE_PASSWORD";
  private static final ObjectMapper JSON = new ObjectMapper();

  private TrialProcess() {}

  /** Do {@code trial} on {@code database} in a JVM with {@code heap}, such as {@code 256m}. */
  public static <T> T run(Trial trial, Database database, String heap, Class<T> outcome)
      throws IOException, InterruptedException {
    var builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-cp",
                System.getProperty("java.class.path"),
                TrialProcess.class.getName(),
                JSON.writeValueAsString(trial),
                database.url(),
                database.user())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put(PASSWORD, database.password());
    Process process = builder.start();
    String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    if (status != 0) {
      throw new IllegalStateException("%s ended with status %s".formatted(trial, status));
    }
    return JSON.readValue(answer, outcome);
  }

  /** Do the trial in the first argument on the database in the others, and print the outcome. */
  public static void main(String[] args) throws IOException, InterruptedException {
    endWithParent();
    Trial trial = JSON.readValue(args[0], Trial.class);
    var database = new Database(args[1], args[2], System.getenv().getOrDefault(PASSWORD, ""));
    System.out.println(JSON.writeValueAsString(outcome(trial, database)));
    System.exit(0); // whatever threads a contender leaves behind
  }

  /** End when standard input does: the parent is gone then, and the outcome would not be read. */
  private static void endWithParent() {
    var watch =
        new Thread(
            () -> {
              try {
                System.in.readAllBytes();
              } catch (IOException e) {
                System.err.println("standard input cannot be read: " + e.getMessage());
              }
              Runtime.getRuntime().halt(1);
            });
    watch.setDaemon(true);
    watch.start();
  }

  private static Object outcome(Trial trial, Database database)
      throws IOException, InterruptedException {
    return switch (trial.task()) {
      case PREPARE -> prepare(trial, database);
      case DRAIN -> new DrainTrial(trial.entrant(), database, trial.count()).measure();
      case DRIFT ->
          new Drift(database, database.contenders(trial.entrant()), "drift", "", Progress.hidden())
              .measure(
                  new Drift.Load(trial.count(), Trial.DRIFT_WARM_UP, trial.seconds(), false), true);
      case HERD -> new Herd(database, trial.count()).measure();
      case CLUSTER_DRAIN -> new ClusterNode(trial.entrant(), database).drain(trial.count());
      case CLUSTER_FIRE ->
          new ClusterNode(trial.entrant(), database).fire(trial.count(), trial.seconds());
      case IDLE -> new Idle(trial.entrant(), database, trial.seconds()).measure();
      case ADD -> add(trial, database);
      case COLD_START -> new ColdStart(trial.entrant(), database, trial.count()).measure();
      case FILL -> new HistoryFill(trial.entrant(), database, trial.count()).fill();
      case ASK -> ConsoleQueries.measure(database, trial.count());
      case DROP ->
          new PartitionDrop(trial.entrant(), database, trial.count(), trial.seconds()).measure();
      case SOAK -> new Soak(trial.entrant(), database, trial.count(), trial.seconds()).measure();
    };
  }

  private static Map<String, String> add(Trial trial, Database database)
      throws InterruptedException {
    try (var pool = database.pool();
        Contender contender = trial.entrant().open(pool)) {
      contender.addDue(trial.count(), added -> {});
    }
    database.awaitSilence();
    return Map.of();
  }

  private static Prepared prepare(Trial trial, Database database) throws InterruptedException {
    double seconds;
    try (var pool = database.pool();
        Contender contender = trial.entrant().open(pool)) {
      contender.install();
      long start = System.nanoTime();
      if (trial.count() > 0) {
        contender.addIdle(trial.count(), added -> {});
      }
      seconds = (System.nanoTime() - start) / 1e9;
    }
    database.awaitSilence();
    database.sql().run("vacuum (freeze, analyze)");
    return new Prepared(seconds);
  }
}
