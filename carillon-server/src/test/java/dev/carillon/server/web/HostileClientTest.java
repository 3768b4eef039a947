package dev.carillon.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Await;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that keep what they use, over real sockets: the others are served, health at once. */
@Timeout(120)
class HostileClientTest {
  private static final Duration HEALTH = Duration.ofSeconds(1);
  private static final HttpLimits IMPATIENT =
      new HttpLimits(
          48,
          16,
          8,
          Duration.ofSeconds(2),
          Duration.ofMillis(500),
          Duration.ofSeconds(2),
          Duration.ofSeconds(2),
          20,
          4 * 1024 * 1024);

  private static final HttpLimits FEW_BODIES =
      new HttpLimits(
          128,
          16,
          8,
          Duration.ofMinutes(5),
          Duration.ofMinutes(5),
          Duration.ofMinutes(5),
          Duration.ofMinutes(5),
          20,
          4 * 1024 * 1024);

  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicInteger blocked = new AtomicInteger();
  private final LinkedBlockingQueue<CompletableFuture<Reply>> waiting = new LinkedBlockingQueue<>();
  private final List<Socket> sockets = new ArrayList<>();
  private final ServerSocketChannel channel = Loopback.bound();
  private final RequestPipeline pipeline = new RequestPipeline(new Routes(List.of()));
  private Optional<WebServer> web = Optional.empty();

  private void start(HttpLimits limits) {
    var routes = new ArrayList<>(new HealthProbes(List::of).routes());
    routes.add(
        Route.post("/bells/{name}", Role.OPEN, "take")
            .summary("Take")
            .takes("Any")
            .answers(
                200, "Any", request -> Reply.ok(Map.of("bytes", (Object) request.body().length))));
    routes.add(
        Route.put("/bells/{name}", Role.OPERATOR, "cast")
            .reach(Reach.ALL)
            .summary("Cast")
            .takes("Any")
            .answers(200, "Any", request -> Reply.done()));
    routes.add(
        Route.post("/ropes/{name}", Role.VIEWER, "pull")
            .reach(Reach.ALL)
            .summary("Pull")
            .takes("Any")
            .answers(200, "Any", request -> Reply.ok(Map.of("by", request.caller().id()))));
    routes.add(
        Route.post("/blocked", Role.OPEN, "block")
            .summary("Block")
            .mayTake("Any")
            .answers(200, "Any", request -> block()));
    routes.add(
        Route.get("/wait", Role.OPEN, "wait").summary("Wait").answers(200, "Any", this::waitFor));
    routes.add(
        Route.get("/large", Role.OPEN, "large")
            .summary("Be large")
            .as("text/plain")
            .answers(
                200, "Any", request -> Reply.text("text/plain", "x".repeat(32 * 1024 * 1024))));
    pipeline.open(
        new Routes(routes),
        request ->
            new Caller("vera", Role.VIEWER, "token", request.header("Authorization").orElse("1")),
        (request, route, work) -> work.apply(request),
        ConcurrencyLimit.UNLIMITED);
    web =
        Optional.of(
            WebServer.start(channel, Optional.empty(), TrustedProxies.NONE, pipeline, limits));
  }

  private Reply block() {
    blocked.incrementAndGet();
    try {
      release.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Reply.done();
  }

  private Reply waitFor(Request request) {
    var reply = new CompletableFuture<Reply>();
    waiting.add(reply);
    return Reply.later(reply, () -> reply.complete(Reply.ok(Map.of("hurried", true))));
  }

  @AfterEach
  void stop() throws IOException {
    release.countDown();
    for (Socket socket : sockets) {
      socket.close();
    }
    web.ifPresent(WebServer::close);
  }

  private Socket open() {
    try {
      var socket = new Socket(InetAddress.getLoopbackAddress(), channel.socket().getLocalPort());
      socket.setSoTimeout(20_000);
      sockets.add(socket);
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Socket send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private String talk(String request) throws IOException {
    return rest(send(open(), request));
  }

  private String taken() {
    try {
      return talk(
          "POST /bells/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String rest(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static String firstLine(Socket socket) {
    try {
      return rest(socket).lines().findFirst().orElse("");
    } catch (IOException cut) {
      return "";
    }
  }

  private static boolean isLate(String line) {
    return line.startsWith("HTTP/1.1 408 ");
  }

  /* The head of a reply: what can be read at once after the server has begun to write. */
  private static String begin(Socket socket) throws IOException {
    var bytes = new byte[1000];
    int count = socket.getInputStream().read(bytes);
    return count < 0 ? "" : new String(bytes, 0, count, StandardCharsets.UTF_8);
  }

  /* A connection that is closed, with or without what was not read. */
  private static void assertClosed(Socket socket) throws IOException {
    try {
      InputStream in = socket.getInputStream();
      while (in.read() >= 0) {
        // what was sent before
      }
    } catch (SocketException reset) {
      assertThat(reset).hasMessageContaining("reset");
    }
  }

  private void assertHealthy() throws IOException {
    for (String path : List.of("/healthz", "/readyz")) {
      long begun = System.nanoTime();
      assertThat(talk("GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".formatted(path)))
          .startsWith("HTTP/1.1 200 ");
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).as(path).isLessThan(HEALTH);
    }
  }

  private static String post(String path, int length, String body) {
    return "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %s\r\n\r\n%s"
        .formatted(path, length, body);
  }

  @Test
  void slow_bodies_hold_no_threads() throws IOException {
    start(HttpLimits.DEFAULT);
    for (int i = 0; i < 200; i++) {
      send(open(), post("/bells/a", 1000, "{"));
    }

    assertHealthy();
    assertThat(taken()).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void a_body_that_is_too_slow_is_refused() throws IOException {
    start(IMPATIENT);
    String reply = talk(post("/bells/a", 1000, "{"));

    assertThat(reply)
        .startsWith("HTTP/1.1 408 ")
        .contains("Connection: close", "request-timeout", "application/problem+json");
  }

  @Test
  void a_body_that_drips_is_refused() throws Exception {
    start(IMPATIENT);
    Socket socket = send(open(), post("/bells/a", 100_000, "{"));
    long begun = System.nanoTime();
    int first;
    socket.setSoTimeout(20);
    while (true) {
      send(socket, " ");
      try {
        first = socket.getInputStream().read();
        break;
      } catch (SocketTimeoutException notYet) {
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
      }
    }

    assertThat(first).isEqualTo('H');
  }

  @Test
  void a_body_in_pieces_arrives_whole() throws IOException {
    start(HttpLimits.DEFAULT);
    Socket socket = send(open(), post("/bells/a", 3000, "x".repeat(1000)));
    assertHealthy();
    send(socket, "x".repeat(1000));
    assertHealthy();
    send(socket, "x".repeat(1000));

    assertThat(begin(socket)).startsWith("HTTP/1.1 200 ").contains("{\"bytes\":3000}");
  }

  @Test
  void a_body_is_not_waited_for_of_a_caller_who_may_not_send_it() throws IOException {
    start(HttpLimits.DEFAULT);
    Socket socket =
        send(
            open(),
            "PUT /bells/a HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n");

    assertThat(begin(socket))
        .startsWith("HTTP/1.1 403 ")
        .as("what comes next on the connection is not read: the client is told")
        .containsIgnoringCase("\r\nConnection: close\r\n");
  }

  @Test
  void a_connection_is_kept_if_the_body_of_a_refused_request_has_come() throws IOException {
    start(HttpLimits.DEFAULT);
    String refused =
        "PUT /bells/a HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
    Socket socket = send(open(), refused);
    assertThat(begin(socket)).startsWith("HTTP/1.1 403 ").doesNotContain("Connection: close");

    assertThat(begin(send(socket, refused))).startsWith("HTTP/1.1 403 ");
  }

  @Test
  void bodies_are_bounded_in_sum() throws IOException {
    start(IMPATIENT);
    var slow = new ArrayList<Socket>();
    for (int i = 0; i < 10; i++) {
      Socket socket = open();
      slow.add(socket);
      try {
        send(socket, post("/bells/a", 900_000, "x".repeat(899_999)));
      } catch (SocketException refused) {
        assertThat(refused).hasMessageMatching("Broken pipe|Connection reset.*");
      }
    }
    var replies = new ArrayList<String>();
    for (Socket socket : slow) {
      replies.add(firstLine(socket));
    }

    assertThat(replies)
        .as("four have room, the others are refused or cut off")
        .allMatch(line -> line.isEmpty() || line.startsWith("HTTP/1.1 503 ") || isLate(line))
        .filteredOn(HostileClientTest::isLate)
        .hasSizeLessThanOrEqualTo(4);
    assertThat(
            talk(
                "POST /bells/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 900000\r\n\r\n"
                    + "x".repeat(900_000)))
        .as("what the others had is free again")
        .startsWith("HTTP/1.1 200 ");
  }

  @Test
  void bodies_under_way_are_bounded_in_number() throws IOException {
    start(IMPATIENT);
    var slow = new ArrayList<Socket>();
    for (int i = 0; i < 25; i++) {
      slow.add(send(open(), pull("viewer " + i % 5, 10, "x")));
    }
    var replies = new ArrayList<String>();
    for (Socket socket : slow) {
      replies.add(rest(socket).lines().findFirst().orElse(""));
    }

    assertThat(replies).filteredOn(line -> line.startsWith("HTTP/1.1 503 ")).hasSize(5);
    assertThat(replies).filteredOn(line -> line.startsWith("HTTP/1.1 408 ")).hasSize(20);
  }

  @Test
  void a_caller_has_a_share_of_the_bodies_under_way() throws IOException {
    start(FEW_BODIES);
    var slow = new ArrayList<Socket>();
    for (int i = 0; i < 40; i++) {
      slow.add(send(open(), pull("anna", 10, "x")));
    }
    long refused = 35;
    Await.until(
        "the others are refused",
        () -> slow.stream().filter(HostileClientTest::isReplied).count() >= refused);

    Socket other = send(open(), pull("bert", 2, "{"));
    assertThat(isReplied(other)).isFalse();
    send(other, "}");
    assertThat(begin(other)).startsWith("HTTP/1.1 200 ").contains("bert");
    assertThat(slow.stream().filter(HostileClientTest::isReplied).count()).isEqualTo(refused);
  }

  @Test
  void a_caller_has_a_share_of_the_bytes_under_way() throws IOException {
    start(FEW_BODIES);
    var slow = new ArrayList<Socket>();
    for (int i = 0; i < 4; i++) {
      Socket socket = send(open(), pull("anna", 1_000_000, "x"));
      slow.add(socket);
      try {
        send(socket, "x".repeat(999_998));
      } catch (SocketException refused) {
        assertThat(refused).hasMessageMatching("Broken pipe|Connection reset.*");
      }
    }

    Await.until(
        "two are kept", () -> slow.stream().filter(HostileClientTest::isReplied).count() == 2);

    Socket other = send(open(), pull("bert", 1_000_000, "x"));
    send(other, "x".repeat(999_999));
    assertThat(begin(other)).startsWith("HTTP/1.1 200 ").contains("bert");
  }

  private static String pull(String caller, int length, String body) {
    return "POST /ropes/a HTTP/1.1\r\nHost: x\r\nAuthorization: %s\r\nContent-Type: application/json\r\nContent-Length: %s\r\n\r\n%s"
        .formatted(caller, length, body);
  }

  private static boolean isReplied(Socket socket) {
    try {
      return socket.getInputStream().available() > 0;
    } catch (IOException reset) {
      return true;
    }
  }

  @Test
  void headers_must_be_complete_in_time() throws Exception {
    start(IMPATIENT);
    Socket socket = send(open(), "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ");
    long begun = System.nanoTime();
    socket.setSoTimeout(100);
    boolean open = true;
    while (open) {
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
      try {
        send(socket, "x");
        open = socket.getInputStream().read() >= 0;
      } catch (SocketTimeoutException notYet) {
        // it is still open
      } catch (SocketException reset) {
        open = false;
      }
    }
    assertHealthy();
  }

  @Test
  void a_client_that_does_not_read_is_cut_off() throws IOException {
    start(IMPATIENT);
    Socket socket = send(open(), "GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
    long begun = System.nanoTime();
    long slowUntil = begun + IMPATIENT.reply().multipliedBy(2).toNanos();
    long read = 0;
    var some = new byte[1024];
    try {
      for (int n = 0; n >= 0; n = socket.getInputStream().read(some)) {
        read += n;
        if (System.nanoTime() < slowUntil) {
          LockSupport.parkNanos(10_000_000);
        }
      }
    } catch (SocketException cut) {
      assertThat(cut).hasMessageContaining("reset");
    }

    assertThat(read).isLessThan(32 * 1024 * 1024);
  }

  @Test
  void health_is_answered_while_all_threads_are_busy() throws Exception {
    start(HttpLimits.DEFAULT);
    for (int i = 0; i < 100; i++) {
      send(open(), post("/blocked", 0, ""));
    }
    Await.until("all threads to be busy", () -> blocked.get() >= 32);

    assertHealthy();
  }

  @Test
  void connections_without_a_request_make_room_the_oldest_first() throws IOException {
    start(IMPATIENT);
    Socket first = open();
    for (int i = 0; i < 100; i++) {
      open();
      if (i % 10 == 0) {
        assertHealthy();
      }
    }

    assertClosed(first);
    assertHealthy();
  }

  @Test
  void who_waits_is_answered_early_when_it_gets_crowded() throws Exception {
    start(IMPATIENT);
    var waiters = new ArrayList<Socket>();
    for (int i = 0; i < 100; i++) {
      waiters.add(send(open(), "GET /wait HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
      if (i % 10 == 0) {
        assertHealthy();
      }
    }

    assertThat(rest(waiters.get(0))).startsWith("HTTP/1.1 200 ").contains("hurried");
    assertHealthy();
    Await.until("there to be room", () -> taken().startsWith("HTTP/1.1 200 "));
  }

  @Test
  void a_crowd_of_requests_is_refused_before_health_suffers() throws Exception {
    start(IMPATIENT);
    for (int i = 1; i <= IMPATIENT.connections() - IMPATIENT.reserved(); i++) {
      send(open(), post("/blocked", 0, ""));
      int busy = i;
      Await.until("the request to be under way", () -> blocked.get() == busy);
    }
    for (int i = 0; i < 30; i++) {
      assertThat(talk(post("/blocked", 0, "")))
          .startsWith("HTTP/1.1 503 ")
          .contains("Connection: close", "Retry-After: 1", "application/problem+json");
    }
    assertHealthy();
  }

  @Test
  void a_flood_of_pipelined_requests_does_not_hold_up_the_others() throws Exception {
    start(HttpLimits.DEFAULT);
    var flood =
        "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
            .repeat(2_000)
            .getBytes(StandardCharsets.US_ASCII);
    var begun = new CountDownLatch(32);
    for (int i = 0; i < 32; i++) {
      Socket socket = open();
      var unused =
          CompletableFuture.runAsync(
              () -> {
                try {
                  for (int j = 0; j < 10; j++) {
                    socket.getOutputStream().write(flood);
                    begun.countDown();
                  }
                } catch (IOException closed) {
                  begun.countDown();
                }
              },
              task -> new Thread(task, "flood").start());
    }
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();

    for (int i = 0; i < 20; i++) {
      assertHealthy();
    }
  }
}
