package dev.carillon.benchmarks.measure;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates, reads and lists schedules over REST, while other schedules fire every second. */
public record ServerLoad(Database database, ServerProcess server, int idle) {
  private static final int FIRING = 500;
  private static final int CONNECTIONS = 64;
  private static final int WARM_UP_SECONDS = 60;
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);
  private static final AtomicInteger CREATED = new AtomicInteger();

  /**
   * What was found.
   *
   * @param requests by kind
   * @param fires how many slots there were of those that fire
   * @param seen how many of them had a run that started
   * @param p99Millis how late those started
   */
  public record Outcome(List<Requests.Outcome> requests, long fires, long seen, double p99Millis) {}

  public Outcome measure(int seconds) throws IOException, InterruptedException {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    for (int i = 0; i < FIRING; i++) {
      HttpRequest create =
          to("/schedules/firing-" + i)
              .PUT(
                  BodyPublishers.ofString(
                      "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1S\"}}"))
              .build();
      HttpResponse<String> answer = client.send(create, BodyHandlers.ofString());
      if (answer.statusCode() != 201) {
        throw new IllegalStateException("a schedule was not created: " + answer.body());
      }
    }
    load(client, WARM_UP_SECONDS);
    Instant from = Instant.now();
    List<Requests.Outcome> outcomes = load(client, seconds);
    Instant until = Instant.now();
    TimeUnit.SECONDS.sleep(5); // so that late runs have ended as well
    return new Outcome(
        outcomes,
        (long) FIRING * (until.getEpochSecond() - from.getEpochSecond()),
        (long) number("count(*)", from, until),
        number(
            "1000 * extract(epoch from percentile_disc(0.99) within group (order by started_at - due_at))",
            from,
            until));
  }

  private double number(String what, Instant from, Instant until) {
    return database
        .sql()
        .number(
            "select "
                + what
                + " from carillon.history where target = 'noop' and started_at is not null"
                + " and slot > to_timestamp(?) and slot <= to_timestamp(?)",
            (double) from.getEpochSecond(),
            (double) until.getEpochSecond());
  }

  private List<Requests.Outcome> load(HttpClient client, int seconds) throws InterruptedException {
    List<Requests> all =
        List.of(
            new Requests("create a schedule", 200, number -> create()),
            new Requests("read a schedule", 1_000, this::read),
            new Requests("list 100 schedules", 10, number -> to("/schedules?limit=100").build()));
    var connections = new Semaphore(CONNECTIONS);
    long start = System.nanoTime();
    Requests next = first(all);
    while (next.due() < TimeUnit.SECONDS.toNanos(seconds)) {
      TimeUnit.NANOSECONDS.sleep(start + next.due() - System.nanoTime());
      connections.acquire();
      next.send(client, start, connections::release);
      next = first(all);
    }
    connections.acquire(CONNECTIONS);
    return all.stream().map(Requests::outcome).toList();
  }

  private static Requests first(List<Requests> all) {
    return Collections.min(all, Comparator.comparingLong(Requests::due));
  }

  private HttpRequest create() {
    String body =
        """
        {"key": "created-%s", "target": "noop", "timing": {"cron": "0 3 * * *", "zone": "Europe/Rome"},
         "payload": {"to": "ops"}}
        """
            .formatted(CREATED.incrementAndGet());
    return to("/schedules").POST(BodyPublishers.ofString(body)).build();
  }

  private HttpRequest read(int number) {
    return to("/schedules/idle-" + number * 7_919L % idle).build();
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(server.api(path))
        .timeout(REQUEST_TIMEOUT)
        .header("Authorization", "Bearer " + ServerProcess.TOKEN)
        .header("Content-Type", "application/json");
  }
}
