package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.Await;
import dev.carillon.postgres.LocalPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two packaged servers on one database: one dies, or is told to stop, and nothing is lost. */
class ClusterIT {
  private static final String TOKEN = "a-token-for-both-servers";
  private static final int EXIT_BY_SIGTERM = 143;

  @TempDir Path folder;

  private Program serve(String url, String name) {
    return Program.start(
        Map.of(
            "CARILLON_DATABASE_URL",
            url,
            "CARILLON_DATA",
            folder.resolve(name).toString(),
            "CARILLON_NODE_NAME",
            name,
            "CARILLON_ADMIN_TOKEN",
            TOKEN,
            "CARILLON_HEARTBEAT",
            "PT1S",
            "CARILLON_LEASE",
            "PT4S",
            "CARILLON_ALLOWED_HOSTS",
            "127.0.0.1"),
        "serve",
        "--port",
        "0");
  }

  private static void define(Rest rest, Endpoint endpoint) throws Exception {
    rest.put(
        "/targets/hook",
        "{\"type\": \"http\", \"url\": \"%s\", \"timeout\": \"PT5M\"}".formatted(endpoint.url()));
    Await.until("both nodes", () -> rest.get("/nodes").path("items").size() == 2);
  }

  @Test
  void runs_go_on_when_a_server_is_killed() throws Exception {
    try (var postgres = LocalPostgres.temporary();
        var endpoint = new Endpoint()) {
      String url = ServeIT.urlOf(postgres);
      try (var one = serve(url, "one");
          var two = serve(url, "two")) {
        Rest doomed = new Rest(one.url(), TOKEN);
        Rest rest = new Rest(two.url(), TOKEN);
        define(doomed, endpoint);
        rest.put("/schedules/tick", "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1S\"}}");
        var runs = new ArrayList<String>();
        for (int i = 0; i < 20; i++) {
          runs.add(doomed.enqueue("hook", "{}")); // who is asked is the first to claim
        }
        Await.until("20 calls", () -> endpoint.calls().size() == 20);
        assertThat(rest.get("/runs?target=hook&limit=50").findValuesAsText("node"))
            .contains(nodeOf(doomed));

        one.kill();

        Await.until("one node", () -> rest.get("/nodes").path("items").size() == 1);
        String before = latestDone(rest);
        endpoint.answer();
        Await.until("all runs", () -> rest.count("hook", "succeeded") == 20);
        Await.until("a later slot", () -> latestDone(rest).compareTo(before) > 0);
        String survivor = rest.get("/nodes").at("/items/0/id").asText();
        for (String run : runs) {
          JsonNode done = rest.get("/runs/" + run);
          assertThat(done.path("node").asText()).as(run).isEqualTo(survivor);
        }
      }
    }
  }

  private static String nodeOf(Rest rest) throws Exception {
    for (JsonNode node : rest.get("/nodes").path("items")) {
      if (node.path("self").asBoolean()) {
        return node.path("id").asText();
      }
    }
    throw new AssertionError("a server that is no node");
  }

  private static String latestDone(Rest rest) throws Exception {
    return rest.get("/runs?schedule=tick&state=succeeded&limit=1").at("/items/0/slot").asText();
  }

  @Test
  void a_server_that_is_told_to_stop_waits_for_a_slow_endpoint() throws Exception {
    try (var postgres = LocalPostgres.temporary();
        var endpoint = new Endpoint()) {
      String url = ServeIT.urlOf(postgres);
      try (var one = serve(url, "one");
          var two = serve(url, "two")) {
        two.url();
        Rest stopping = new Rest(one.url(), TOKEN);
        Rest rest = new Rest(two.url(), TOKEN);
        define(stopping, endpoint);
        for (int i = 0; i < 20; i++) {
          stopping.enqueue("hook", "{}"); // who is asked is the first to claim
        }
        Await.until("20 calls", () -> endpoint.calls().size() == 20);
        String node = nodeOf(stopping);

        one.askToStop();
        Await.until("no answer", () -> !answers(one));
        assertThat(one.isAlive()).isTrue();
        endpoint.answer();

        assertThat(one.exitCode()).isEqualTo(EXIT_BY_SIGTERM);
        assertThat(one.out()).last().isEqualTo("Carillon stopped");
        Await.until("all runs", () -> rest.count("hook", "succeeded") == 20);
        assertThat(endpoint.calls()).hasSize(20);
        JsonNode runs = rest.get("/runs?target=hook&limit=50").path("items");
        assertThat(runs.findValuesAsText("attempt")).hasSize(20).containsOnly("1");
        assertThat(runs.findValuesAsText("node")).contains(node);
      }
    }
  }

  private static boolean answers(Program program) throws Exception {
    try {
      program.get("/healthz");
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
