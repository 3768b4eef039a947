package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Python worker of the examples against the packaged server. */
class WorkerIT {
  @TempDir static Path folder;

  private static Program server = Program.start("--version");
  private static String token = "";
  private static Rest rest = new Rest("", "");

  @BeforeAll
  static void serve() throws Exception {
    Path data = folder.resolve("carillon-data");
    server = Program.start("serve", "--port", "0", "--data", data.toString());
    String url = server.url();
    token = Files.readString(data.resolve("admin-token")).strip();
    rest = new Rest(url, token);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static PythonWorker worker(String leaseSeconds, String target) throws Exception {
    return PythonWorker.start(server.url(), token, leaseSeconds, target);
  }

  @Test
  void it_fits_on_a_page() throws Exception {
    assertThat(Files.readAllLines(PythonWorker.PROGRAM)).hasSizeLessThanOrEqualTo(50);
  }

  @Test
  void hundreds_of_runs_are_done_once_each() throws Exception {
    rest.put("/targets/many", "{\"type\": \"worker\"}");
    var runs = new ArrayList<String>();
    try (var one = worker("30", "many");
        var two = worker("30", "many")) {
      for (int i = 0; i < 300; i++) {
        runs.add(rest.enqueue("many", "{\"page\": %s}".formatted(i)));
      }
      Await.until("300 runs", () -> rest.count("many", "succeeded") == 300);

      one.signal("TERM"); // both at once: each waits for the answer to its question for more
      two.signal("TERM");
      assertThat(one.exit()).isZero();
      assertThat(two.exit()).isZero();
      List<String> did = new ArrayList<>(one.did());
      did.addAll(two.did());
      assertThat(did).containsExactlyInAnyOrderElementsOf(runs);
    }
  }

  @Test
  void what_a_killed_worker_had_is_taken_over() throws Exception {
    rest.put("/targets/lost", "{\"type\": \"worker\"}");
    var runs = new ArrayList<String>();
    for (int i = 0; i < 4; i++) {
      runs.add(rest.enqueue("lost", "{\"seconds\": 2}"));
    }
    try (var killed = worker("3", "lost")) {
      Await.until("4 runs at a worker", () -> rest.count("lost", "running") == 4);
      killed.signal("KILL");
    }
    try (var next = worker("3", "lost")) {
      Await.until("4 runs done", () -> rest.count("lost", "succeeded") == 4);

      assertThat(next.terminate()).isZero();
      assertThat(next.did()).containsExactlyInAnyOrderElementsOf(runs);
    }
    for (String run : runs) {
      assertThat(rest.get("/runs/" + run).path("attempt").asInt()).isEqualTo(2);
    }
  }

  @Test
  void a_worker_that_slept_through_its_lease_is_told() throws Exception {
    rest.put("/targets/slept", "{\"type\": \"worker\"}");
    String run = rest.enqueue("slept", "{\"seconds\": 1}");
    try (var sleeper = worker("2", "slept")) {
      Await.until("a run at a worker", () -> rest.count("slept", "running") == 1);
      sleeper.signal("STOP");
      try (var next = worker("2", "slept")) {
        Await.until("the run done", () -> rest.count("slept", "succeeded") == 1);
        assertThat(next.terminate()).isZero();
      }
      sleeper.signal("CONT");
      Await.until("to be told", () -> sleeper.out().contains("fenced " + run));

      JsonNode done = rest.get("/runs/" + run);
      assertThat(done.path("state").asText()).isEqualTo("succeeded");
      // A sleeper that was waiting for more has been given it once more.
      assertThat(done.path("attempt").asInt()).isBetween(2, 3);
    }
  }

  @Test
  void a_worker_that_is_told_to_stop_gives_back_what_it_has_not_begun() throws Exception {
    rest.put("/targets/given", "{\"type\": \"worker\"}");
    for (int i = 0; i < 12; i++) {
      rest.enqueue("given", "{\"seconds\": 2}");
    }
    try (var first = worker("600", "given")) {
      Await.until("12 runs at a worker", () -> rest.count("given", "running") == 12);
      assertThat(first.terminate()).isZero();
      assertThat(first.did()).hasSizeLessThan(12);
    }
    try (var next = worker("600", "given")) {
      Await.until("12 runs done", () -> rest.count("given", "succeeded") == 12);
      assertThat(next.terminate()).isZero();
    }
  }
}
