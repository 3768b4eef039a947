package dev.carillon.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.carillon.PullWorkers;
import dev.carillon.RunDraft;
import dev.carillon.Runs;
import dev.carillon.model.Failure;
import dev.carillon.model.Report;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.postgres.LocalPostgres;
import dev.carillon.target.Completion;
import dev.carillon.target.Lease;
import dev.carillon.target.LeasedRun;
import dev.carillon.target.Outcome;
import dev.carillon.target.Target;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Runs the code of {@code docs/guide/embedding.md} about work that goes on elsewhere. */
class WorkElsewhereTest {
  private final LocalPostgres postgres = LocalPostgres.temporary();
  private final HikariDataSource pool = Pool.of(postgres);
  private final List<RunId> submitted = new ArrayList<>();

  @AfterEach
  void stop() {
    pool.close();
    postgres.close();
  }

  private String submit(RunId id, int attempt) {
    submitted.add(id);
    return "job-" + submitted.size() + "." + attempt;
  }

  @Test
  void somebody_else_accepts_a_run_and_reports() {
    Target cluster =
        (run, done) -> {
          String job = submit(run.id(), run.attempt());
          done.accept(Outcome.accepted(job));
        };

    try (ManualCarillon carillon =
        ManualCarillon.on(pool)
            .with(builder -> builder.asyncTarget("train-model", cluster))
            .start()) {
      Runs runs = carillon.runs();
      RunId id = runs.enqueue(RunDraft.of("train-model"));
      RunId broken = runs.enqueue(RunDraft.of("train-model"));
      carillon.runDue();
      assertThat(runs.get(id).flatMap(Run::externalId)).isPresent();
      int attempt = 1;

      runs.report(id, Report.succeeded().forAttempt(attempt));
      runs.report(broken, Report.failed(Failure.of("no_memory", "needs a larger machine")));

      assertThat(runs.get(id).map(Run::state)).contains(RunState.SUCCEEDED);
      assertThat(runs.get(broken).map(Run::state)).contains(RunState.FAILED);
    }
  }

  @Test
  void a_worker_fetches_its_runs() {
    try (ManualCarillon carillon =
        ManualCarillon.on(pool).with(builder -> builder.remoteTarget("print-label")).start()) {
      RunId id = carillon.runs().enqueue(RunDraft.of("print-label"));
      PullWorkers workers = carillon.carillon().pullWorkers();

      Duration lease = Duration.ofSeconds(30);
      List<LeasedRun> fetched = workers.claim("printer-3", List.of("print-label"), 10, lease);
      List<Lease> leases = fetched.stream().map(LeasedRun::lease).toList();

      workers
          .heartbeat("printer-3", leases, lease)
          .forEach((run, renewal) -> renewal.stop().ifPresent(reason -> stopPrinting(run)));

      workers.complete(
          leases.stream().map(one -> new Completion(one, Outcome.succeeded())).toList());

      assertThat(carillon.runs().get(id).map(Run::state)).contains(RunState.SUCCEEDED);
    }
  }

  private static void stopPrinting(RunId run) {
    throw new AssertionError("nobody wants " + run + " to stop");
  }
}
