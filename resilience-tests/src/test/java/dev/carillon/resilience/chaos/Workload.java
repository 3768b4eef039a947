package dev.carillon.resilience.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.Await;
import dev.carillon.resilience.cluster.Call;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Supplier;

/** Schedules of one trial, each of which calls the journal every second. */
final class Workload {
  private static final List<String> OVERLAPS = List.of("queue", "skip", "allow");
  private static final int SCHEDULES = 9;
  private static final Duration ANSWER = Duration.ofSeconds(60);

  private record Defined(String key, boolean exclusive, Instant first) {}

  private final Stage stage;
  private final String name;
  private final List<Defined> schedules = new ArrayList<>();
  private Instant last = Instant.MAX;

  Workload(Stage stage, String name) {
    this.stage = stage;
    this.name = name;
  }

  /** Create the schedules. */
  void begin() {
    sent(
        () ->
            stage
                .cluster()
                .api()
                .put(
                    "/targets/journal",
                    "{\"type\": \"http\", \"url\": \"%s\", \"timeout\": \"PT10S\"}"
                        .formatted(stage.journal().url())));
    for (int i = 0; i < SCHEDULES; i++) {
      String overlap = OVERLAPS.get(i % OVERLAPS.size());
      String key = "%s-%s-%s".formatted(name, overlap, i);
      String definition =
          """
          {"target": "journal", "timing": {"every": "PT1S"}, "overlap": "%s",
           "catchUp": {"mode": "all", "limit": 1000, "grace": "PT10M"}}"""
              .formatted(overlap);
      sent(() -> stage.cluster().api().put("/schedules/" + key, definition));
      schedules.add(new Defined(key, !overlap.equals("allow"), nextSecond(databaseTime())));
    }
  }

  /** Pause the schedules, once the nodes answer again. */
  void end() {
    last = databaseTime().truncatedTo(ChronoUnit.SECONDS);
    for (Defined schedule : schedules) {
      sent(
          () ->
              stage
                  .cluster()
                  .api()
                  .post(
                      "/schedules/%s/pause".formatted(schedule.key()),
                      "{\"reason\": \"the trial is over\"}"));
    }
  }

  /** Wait until no run of the schedules is on its way any more; return whether that came. */
  boolean drained(Duration timeout) {
    return Await.within(
        timeout,
        () ->
            stage
                    .cluster()
                    .postgres()
                    .number(
                        """
                        select count(*) from carillon.run
                          join carillon.schedule on schedule.id = run.schedule_id
                         where schedule.key like '%s-%%'"""
                            .formatted(name))
                == 0);
  }

  /** Say whether every schedule has called since {@code moment}. */
  boolean allCalledSince(Instant moment) {
    var called = new HashSet<String>();
    for (Call call : stage.journal().calls()) {
      if (!call.begin().isBefore(moment)) {
        called.add(call.schedule());
      }
    }
    return schedules.stream().allMatch(schedule -> called.contains(schedule.key()));
  }

  /** Run the journal once without a schedule; return whether it was called in time. */
  boolean runsAtOnce(Duration timeout) {
    String run =
        sent(() -> stage.cluster().api().post("/runs", "{\"target\": \"journal\"}"))
            .path("id")
            .asText();
    return Await.within(
        timeout, () -> stage.journal().calls().stream().anyMatch(call -> call.run().equals(run)));
  }

  /** Judge all schedules. */
  Findings judge(boolean overlapsPromised) {
    List<Call> calls = stage.journal().calls();
    Duration ahead = stage.surroundings().clockAhead();
    Findings all = Findings.NONE;
    for (Defined schedule : schedules) {
      var expected = new Expectation(schedule.key(), schedule.exclusive(), schedule.first(), last);
      all =
          all.and(
              new Judge(
                      expected, calls, fires(expected), ahead.isNegative() ? Duration.ZERO : ahead)
                  .judge(overlapsPromised));
    }
    return all;
  }

  private List<Fire> fires(Expectation expected) {
    var fires = new ArrayList<Fire>();
    JsonNode page =
        sent(
            () ->
                stage
                    .cluster()
                    .api()
                    .get(
                        "/schedules/%s/fires?from=%s&to=%s&limit=500"
                            .formatted(
                                expected.schedule(),
                                expected.first(),
                                expected.last().plusSeconds(1))));
    for (JsonNode item : page.path("items")) {
      fires.add(
          new Fire(
              Instant.parse(item.path("slot").asText()),
              item.path("decision").asText(),
              item.path("reason").asText("").replace("null", ""),
              item.path("run").asText("").replace("null", "")));
    }
    return fires;
  }

  private Instant databaseTime() {
    return stage.surroundings().cameTo(Instant.now());
  }

  private static Instant nextSecond(Instant moment) {
    return moment.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
  }

  /** Repeat a request until it is answered well; nodes may still be on their way back. */
  private static JsonNode sent(Supplier<JsonNode> request) {
    long deadline = System.nanoTime() + ANSWER.toNanos();
    while (true) {
      try {
        return request.get();
      } catch (IllegalStateException | UncheckedIOException e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
      }
      try {
        Scene.pause(Duration.ofMillis(200));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }
}
