package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.Carillon;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunState;
import dev.carillon.policy.Overlap;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A handler that really takes all memory, in a JVM of its own with little of it. */
@ExtendWith(EmbeddedPostgres.class)
class OutOfMemoryIT {
  private final PostgresServer server;

  OutOfMemoryIT(PostgresServer server) {
    this.server = server;
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 4000"})
  void a_run_that_took_all_memory_has_failed_and_the_next_of_its_schedule_succeeds(
      int which, long keptMillis) throws Exception {
    String database = server.createMigrated();
    Process node = start(database, which, keptMillis);
    CompletableFuture.delayedExecutor(90, TimeUnit.SECONDS).execute(node::destroyForcibly);
    try (Carillon door =
            Carillon.builder()
                .dataSource(server.dataSource(database))
                .remoteTarget(HungryNode.LABEL)
                .build();
        BufferedReader told = node.inputReader(StandardCharsets.UTF_8)) {
      door.schedules()
          .create(
              ScheduleDraft.named("hungry")
                  .target(HungryNode.LABEL)
                  .overlap(Overlap.QUEUE)
                  .every(Duration.ofSeconds(1)));
      awaitSuccesses(told, which);

      List<Run> failed = door.runs().list(RunFilter.bySchedule("hungry").state(RunState.FAILED));
      assertThat(failed).hasSize(1);
      Run hungry = failed.get(0);
      assertThat(hungry.attempt()).isEqualTo(1);
      assertThat(hungry.failure().orElseThrow().code()).isIn("OutOfMemoryError", "indescribable");
      assertThat(node.isAlive()).isTrue();
    } finally {
      node.destroyForcibly().onExit().join();
    }
  }

  private Process start(String database, int which, long keptMillis) throws IOException {
    Path logs = Files.createDirectories(Path.of("target", "hungry"));
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx40m",
            "-cp",
            System.getProperty("java.class.path"),
            HungryNode.class.getName(),
            "jdbc:postgresql://127.0.0.1:" + server.port() + "/" + database,
            server.user(),
            server.password(),
            Long.toString(keptMillis),
            Integer.toString(which))
        .redirectError(logs.resolve(keptMillis + ".log").toFile())
        .start();
  }

  private static void awaitSuccesses(BufferedReader told, int count) throws IOException {
    for (int successes = 0; successes < count; ) {
      String line = told.readLine();
      assertThat(line).as("the node ended; see its log in target/hungry").isNotNull();
      successes += line.startsWith("SUCCEEDED") ? 1 : 0;
    }
  }
}
