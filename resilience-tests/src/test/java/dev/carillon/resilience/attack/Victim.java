package dev.carillon.resilience.attack;

import dev.carillon.fixture.Await;
import dev.carillon.resilience.cluster.Api;
import dev.carillon.resilience.cluster.Commands;
import dev.carillon.resilience.cluster.Journal;
import dev.carillon.resilience.cluster.NodeProcess;
import dev.carillon.resilience.cluster.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** A server with a small heap, which calls a journal every second while it is attacked. */
final class Victim implements AutoCloseable {
  static final int HEAP_MIB = 512;
  private static final String BEAT = "beat";
  private static final int WARM_UP = 200;

  private final Deque<Runnable> open = new ArrayDeque<>();
  private final NodeProcess node;
  private final Journal journal;
  private final String viewer;
  private final String editor;

  private Victim() throws IOException {
    Path folder = Commands.folder("carillon-attack");
    open.push(() -> Commands.delete(folder));
    try {
      PostgresServer postgres =
          PostgresServer.create(folder, List.of("fsync=off", "shared_buffers=32MB"));
      open.push(postgres::close);
      journal = new Journal(folder.resolve("journal"), Duration.ofMillis(5));
      open.push(journal::close);
      node =
          new NodeProcess(
              "victim", folder, postgres.port(), List.of("-Xmx%sm".formatted(HEAP_MIB)), Map.of());
      open.push(node::close);
      node.start();
      node.awaitStart();
      viewer = token("viewer");
      editor = token("editor");
      api()
          .put(
              "/targets/journal", "{\"type\": \"http\", \"url\": \"%s\"}".formatted(journal.url()));
      api().put("/targets/press", "{\"type\": \"worker\"}");
      api()
          .put(
              "/schedules/" + BEAT, "{\"target\": \"journal\", \"timing\": {\"every\": \"PT1S\"}}");
      Await.until("the first run", () -> !journal.calls().isEmpty());
      warmUp();
    } catch (RuntimeException | AssertionError | IOException e) {
      close();
      throw e;
    }
  }

  /* What is compiled while it is first used takes many times as long. */
  private void warmUp() {
    for (int i = 0; i < WARM_UP; i++) {
      api().get("/schedules");
      api().post("/timings/explain", "{\"timing\": {\"cron\": \"0 9 * * *\"}}");
    }
  }

  static Victim start() throws IOException {
    return new Victim();
  }

  private String token(String role) {
    return api()
        .post("/tokens", "{\"name\": \"%s\", \"roles\": [\"%s\"]}".formatted(role, role))
        .path("token")
        .asText();
  }

  Api api() {
    return node.api();
  }

  NodeProcess node() {
    return node;
  }

  Journal journal() {
    return journal;
  }

  int port() {
    return URI.create(node.url()).getPort();
  }

  /** Return the token of a caller who may read. */
  String viewer() {
    return viewer;
  }

  /** Return the token of a caller who may define schedules. */
  String editor() {
    return editor;
  }

  /** Return how many runs are under way, but for those of the schedule that goes on. */
  long running() {
    long count = 0;
    for (var run : api().get("/runs?state=running&limit=500").path("items")) {
      count += run.path("schedule").asText("").equals(BEAT) ? 0 : 1;
    }
    return count;
  }

  @Override
  public void close() {
    while (!open.isEmpty()) {
      open.pop().run();
    }
  }
}
