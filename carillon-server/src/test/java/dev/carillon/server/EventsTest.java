package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The stream of events, over sockets. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(120)
class EventsTest {
  private static final String TOKEN = "crl_events_test_token_0123456789";

  private final HttpClient client = HttpClient.newHttpClient();
  private final String database;
  private final List<Served> servers = new ArrayList<>();
  private final List<Heard> ears = new ArrayList<>();
  private final Path folder;

  EventsTest(PostgresServer postgres, @TempDir Path folder) {
    this.folder = folder;
    database = Served.freshDatabase(postgres);
  }

  @BeforeEach
  void start() {
    serve();
  }

  @AfterEach
  void stop() {
    ears.forEach(Heard::close);
    servers.forEach(Served::close);
  }

  private Served serve() {
    Served server =
        Served.start(database, folder, Map.of(), Map.of("CARILLON_ADMIN_TOKEN", TOKEN), line -> {});
    servers.add(server);
    return server;
  }

  /** A client of the stream. */
  private final class Heard implements AutoCloseable {
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Stream<String> stream;
    private String id = "";

    Heard(Served server, String token, String query, String last) throws Exception {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(server.url() + "/api/v1/events" + query))
              .header("Authorization", "Bearer " + token);
      HttpResponse<Stream<String>> response =
          client.send(
              (last.isEmpty() ? request : request.header("Last-Event-ID", last)).build(),
              BodyHandlers.ofLines());
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.headers().firstValue("Content-Type").orElse(""))
          .startsWith("text/event-stream");
      stream = response.body();
      var thread = new Thread(this::read, "ear");
      thread.setDaemon(true);
      thread.start();
      ears.add(this);
    }

    private void read() {
      try {
        stream.forEach(lines::add);
      } catch (UncheckedIOException closed) {
        // the test is over
      }
      lines.add("end");
    }

    /** Return the next event as its name and data. */
    String next() throws InterruptedException {
      String event = "";
      for (String line = line(); !line.equals("end"); line = line()) {
        if (line.startsWith("id: ")) {
          id = line.substring(4);
        } else if (line.startsWith("event: ")) {
          event = line.substring(7);
        } else if (line.startsWith("data: ")) {
          return event + " " + line.substring(6);
        }
      }
      return "end";
    }

    String next(String name) throws InterruptedException {
      String event = next();
      while (!event.startsWith(name + " ") && !event.equals("end")) {
        event = next();
      }
      return event;
    }

    /** Wait until the stream has said where it stands. */
    Heard ready() throws InterruptedException {
      while (id.isEmpty()) {
        String line = line();
        id = line.startsWith("id: ") ? line.substring(4) : "";
      }
      return this;
    }

    private String line() throws InterruptedException {
      String line = lines.poll(30, TimeUnit.SECONDS);
      assertThat(line).as("a line within 30 s").isNotNull();
      return String.valueOf(line);
    }

    @Override
    public void close() {
      stream.close();
    }
  }

  private Heard listen(Served server, String query) throws Exception {
    return new Heard(server, TOKEN, query, "").ready();
  }

  private void send(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpResponse<String> response = servers.get(0).send(TOKEN, method, "/api/v1" + path, body);
    assertThat(response.statusCode()).as(response.body()).isLessThan(300);
  }

  private void define(String key) throws Exception {
    send(
        "PUT",
        "/schedules/" + key,
        "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}, \"payload\": {\"x\": \"hidden\"}}");
  }

  @Test
  void changes_of_schedules_and_ends_of_runs_are_sent_by_every_server_without_payloads()
      throws Exception {
    Heard here = listen(servers.get(0), "");
    Heard there = listen(serve(), "");
    define("bell");
    send("POST", "/schedules/bell/run", "");

    for (Heard heard : List.of(here, there)) {
      assertThat(heard.next("schedule.created")).contains("\"schedule\":\"bell\"", "admin");
      assertThat(heard.next("run.succeeded"))
          .contains("\"schedule\":\"bell\"", "\"target\":\"noop\"", "\"state\":\"succeeded\"")
          .doesNotContain("hidden");
    }
  }

  @Test
  void a_client_that_comes_back_goes_on_behind_the_last_event_with_nothing_lost_and_nothing_twice()
      throws Exception {
    Heard first = listen(servers.get(0), "");
    define("bell");
    assertThat(first.next("schedule.created")).contains("bell");
    String last = first.id;
    first.close();
    for (int i = 0; i < 5; i++) {
      send("POST", "/schedules/bell/resume", "");
      send("POST", "/schedules/bell/pause", "{\"reason\": \"no. %s\"}".formatted(i));
    }
    Heard again = new Heard(serve(), TOKEN, "", last);
    var told = new ArrayList<String>();
    for (int i = 0; i < 5; i++) {
      told.add(again.next("schedule.paused"));
    }
    define("last-bell");

    for (int i = 0; i < 5; i++) {
      assertThat(told.get(i)).contains("no. " + i);
    }
    assertThat(again.next()).startsWith("schedule.created ").contains("last-bell");
  }

  @Test
  void only_wanted_events_are_sent() throws Exception {
    Heard one = listen(servers.get(0), "?schedule=wanted");
    Heard runs = listen(servers.get(0), "?target=noop");
    define("unwanted");
    define("wanted");
    send("POST", "/schedules/unwanted/run", "");
    send("POST", "/schedules/wanted/pause", "{\"reason\": \"enough\"}");

    assertThat(one.next()).startsWith("schedule.created ").contains("\"wanted\"");
    assertThat(one.next()).startsWith("schedule.paused ");
    assertThat(runs.next()).startsWith("run.").contains("\"unwanted\"");
  }

  @Test
  void a_server_that_stops_ends_the_streams_at_once() throws Exception {
    Heard heard = listen(servers.get(0), "");
    long begun = System.nanoTime();
    servers.get(0).close();

    assertThat(heard.next()).isEqualTo("end");
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
  }

  private String token(String name) throws Exception {
    HttpResponse<String> made =
        servers
            .get(0)
            .send(
                TOKEN,
                "POST",
                "/api/v1/tokens",
                "{\"name\": \"%s\", \"roles\": [\"viewer\"]}".formatted(name));
    return Answer.parse(made.body()).path("token").asText();
  }

  @Test
  void a_caller_with_twenty_streams_is_refused_and_others_are_not() throws Exception {
    String greedy = token("greedy");
    for (int i = 0; i < 20; i++) {
      new Heard(servers.get(0), greedy, "", "").ready();
    }
    HttpResponse<String> refused = servers.get(0).send(greedy, "GET", "/api/v1/events", "");

    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.headers().firstValue("Retry-After")).contains("10");
    assertThat(Answer.parse(refused.body()).path("code").asText()).isEqualTo("too-many-streams");
    assertThat(Answer.parse(refused.body()).path("detail").asText())
        .isEqualTo("You listen 20 times already; close a stream, or share one.");
    new Heard(servers.get(0), token("modest"), "", "").ready();
  }

  @Test
  void many_listeners_need_no_thread_each() throws Exception {
    int before = httpThreads();
    for (int i = 0; i < 5; i++) {
      String token = token("listener-" + i);
      for (int j = 0; j < 20; j++) {
        new Heard(servers.get(0), token, "", "").ready();
      }
    }

    int threads = 16 + 32 + 2; // of the network, of handlers, of health
    assertThat(httpThreads()).isLessThanOrEqualTo(before + threads);
    define("bell");
    for (Heard heard : ears) {
      assertThat(heard.next("schedule.created")).contains("bell");
    }
  }

  private static int httpThreads() {
    return (int)
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith("carillon-"))
            .count();
  }
}
