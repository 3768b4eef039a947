package dev.carillon.targets.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.model.ChangedBy;
import dev.carillon.model.Failure;
import dev.carillon.model.Payload;
import dev.carillon.model.Workflow;
import dev.carillon.target.Outcome;
import dev.carillon.targets.guard.AddressGuard;
import dev.carillon.targets.workflow.Launch;
import dev.carillon.targets.workflow.LaunchContext;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Endpoints that do all they can to keep a call open: each call ends in time all the same. */
class HostileEndpointTest {
  private static final Duration TIMEOUT = Duration.ofMillis(300);
  private static final Duration SLACK = Duration.ofSeconds(4); // a loaded machine
  private static final Map<String, Object> IMPATIENT = Map.of("timeout", "PT0.3S");
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  private static final Launch LAUNCH =
      new Launch(
          new Workflow("flow", 1, "{}", new ChangedBy(Instant.EPOCH, "ann"), Optional.empty()),
          Launch.NO_INPUT,
          LaunchContext.of("ann", Instant.EPOCH, "key"));

  private final HttpSender sender =
      HttpSender.start(AddressGuard.allowing(List.of("127.0.0.1", "::1")));
  private final Hooks hooks = new Hooks(sender);

  @AfterEach
  void close() {
    hooks.close();
  }

  static Stream<Arguments> endpointsThatNeverEnd() {
    return Stream.of(
        never("one unknown interim answer, then silence", "HTTP/1.1 110 More\r\n\r\n", ""),
        never("the last interim status, then silence", "HTTP/1.1 199 More\r\n\r\n", ""),
        never("early hints, then silence", "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n", ""),
        never("102, then silence", "HTTP/1.1 102 Processing\r\n\r\n", ""),
        never("100 twice, then silence", "HTTP/1.1 100 Continue\r\n\r\n".repeat(2), ""),
        never("a drip of 100s", "", "HTTP/1.1 100 Continue\r\n\r\n"),
        never("a drip of unknown interim answers", "", "HTTP/1.1 123 More\r\n\r\n"),
        never("a drip of headers", "HTTP/1.1 200 OK\r\n", "x"),
        never("a drip of the status line", "", "H"),
        never("a drip of the body", "HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n", "."),
        never(
            "a drip of chunks",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            "1\r\n.\r\n"),
        never(
            "a drip of trailers",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
            "x"),
        never("a body that lasts until the close", "HTTP/1.1 200 OK\r\n\r\n", "."),
        never("a length that is too long", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", ""),
        never("interim answers before half an answer", "HTTP/1.1 150 A\r\n\r\nHTTP/1.1 200 O", ""));
  }

  private static Arguments never(String what, String start, String drip) {
    return Arguments.of(what, start, drip);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("endpointsThatNeverEnd")
  void a_call_that_never_ends_times_out_and_closes_its_connection(
      String what, String start, String drip) throws Exception {
    var closed = new CountDownLatch(1);
    try (var endpoint =
        new RawEndpoint(
            socket -> {
              RawEndpoint.readRequest(socket);
              write(socket, start);
              dripUntilClosed(socket, drip);
              closed.countDown();
            })) {
      Failure failure = failureInTime(endpoint.url());

      assertThat(failure.code()).isEqualTo("no_answer");
      assertThat(failure.message())
          .isEqualTo("POST " + endpoint.url() + " failed: no whole answer in time");
      assertThat(closed.await(10, TimeUnit.SECONDS)).as("connection closed").isTrue();
      assertThat(endpoint.connections()).isEqualTo(1);
    }
  }

  private Failure failureInTime(String url) throws Exception {
    TestRun run = TestRun.of("nightly");
    long started = System.nanoTime();
    Outcome.Failed failed = run.on(hooks.to(url, IMPATIENT)).failed();
    assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(TIMEOUT.plus(SLACK));
    assertThat(failed.retryable()).isTrue();
    assertThat(run.outcomes()).hasSize(1);
    return failed.failure();
  }

  /* Writing to a closed connection fails after a while; reading tells at once. */
  private static void dripUntilClosed(Socket socket, String drip) throws IOException {
    socket.setSoTimeout(20);
    for (int i = 0; i < 1_000; i++) {
      try {
        if (socket.getInputStream().read(new byte[4_096]) < 0) {
          return;
        }
      } catch (SocketTimeoutException stillOpen) {
        try {
          write(socket, drip);
        } catch (IOException reset) {
          return;
        }
      } catch (IOException reset) {
        return;
      }
    }
    throw new IOException("the connection stayed open");
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(ISO_8859_1));
  }

  static Stream<String> interimAnswers() {
    return Stream.concat(
        IntStream.of(100, 102, 103, 104, 110, 199)
            .mapToObj("HTTP/1.1 %d Wait\r\nx-hint: 1\r\n\r\n"::formatted),
        Stream.of("HTTP/1.1 100 Continue\r\n\r\n".repeat(InterimResponses.MAX)));
  }

  @ParameterizedTest
  @MethodSource("interimAnswers")
  void interim_answers_are_ignored_in_one_packet_with_the_answer(String interim) throws Exception {
    try (var endpoint = RawEndpoint.saying(interim + OK)) {
      assertThat(TestRun.of("nightly").on(hooks.to(endpoint.url())).outcome())
          .isEqualTo(Outcome.succeeded());
    }
  }

  @ParameterizedTest
  @MethodSource("interimAnswers")
  void interim_answers_are_ignored_in_a_packet_of_their_own(String interim) throws Exception {
    try (var endpoint =
        new RawEndpoint(
            socket -> {
              socket.setTcpNoDelay(true);
              RawEndpoint.readRequest(socket);
              write(socket, interim);
              pause();
              write(socket, OK);
            })) {
      assertThat(TestRun.of("nightly").on(hooks.to(endpoint.url())).outcome())
          .isEqualTo(Outcome.succeeded());
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(30);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void what_an_interim_answer_says_is_not_part_of_the_answer() throws Exception {
    try (var endpoint =
        RawEndpoint.saying(
            String.join(
                "",
                "HTTP/1.1 110 More\r\nCarillon-External-Id: interim\r\n\r\n",
                "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n"))) {
      assertThat(TestRun.of("nightly").on(hooks.to(endpoint.url())).outcome())
          .isInstanceOfSatisfying(
              Outcome.Accepted.class, accepted -> assertThat(accepted.externalId()).isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 103, 177})
  void a_flood_of_interim_answers_is_a_failure_before_the_timeout(int status) throws Exception {
    var closed = new CountDownLatch(1);
    try (var endpoint =
        new RawEndpoint(
            socket -> {
              RawEndpoint.readRequest(socket);
              try {
                for (int i = 0; i < 100_000; i++) {
                  write(socket, "HTTP/1.1 " + status + " More\r\n\r\n");
                }
              } catch (IOException connectionClosed) {
                closed.countDown();
              }
            })) {
      Failure failure = TestRun.of("nightly").on(hooks.to(endpoint.url())).failed().failure();

      assertThat(failure.code()).isEqualTo("bad_answer");
      assertThat(failure.message()).endsWith("failed: more than 100 interim answers");
      assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void a_change_of_protocol_is_a_failure_and_closes_the_connection() throws Exception {
    var closed = new CountDownLatch(1);
    try (var endpoint =
        new RawEndpoint(
            socket -> {
              RawEndpoint.readRequest(socket);
              write(
                  socket,
                  "HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n");
              dripUntilClosed(socket, "");
              closed.countDown();
            })) {
      Outcome.Failed failed = TestRun.of("nightly").on(hooks.to(endpoint.url())).failed();

      assertThat(failed.failure().code()).isEqualTo("http_101");
      assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void a_reset_after_the_headers_is_a_failure() throws Exception {
    try (var endpoint =
        new RawEndpoint(
            socket -> {
              RawEndpoint.readRequest(socket);
              write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n");
              pause();
              socket.setSoLinger(true, 0);
              socket.close();
            })) {
      assertThat(failureInTime(endpoint.url()).code()).isEqualTo("network");
    }
  }

  @Test
  void an_answer_longer_than_its_length_ends_there() throws Exception {
    try (var endpoint =
        RawEndpoint.saying("HTTP/1.1 500 Broken\r\nContent-Length: 3\r\n\r\nabcdef")) {
      assertThat(TestRun.of("nightly").on(hooks.to(endpoint.url())).failed().failure().details())
          .hasValueSatisfying(details -> assertThat(details).endsWith("abc"));
    }
  }

  @Test
  void an_endpoint_that_reads_nothing_times_out() throws Exception {
    var closed = new CountDownLatch(1);
    var silent = new CountDownLatch(1);
    try (var endpoint =
        new RawEndpoint(
            socket -> {
              try {
                silent.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              socket.setSoTimeout(10_000);
              try {
                while (socket.getInputStream().read(new byte[65_536]) >= 0) {}
                closed.countDown();
              } catch (SocketTimeoutException stillOpen) {
                return;
              } catch (IOException reset) {
                closed.countDown();
              }
            })) {
      var large =
          new HttpMessage(URI.create(endpoint.url()), "POST", Map.of(), "x".repeat(8_000_000));
      var ended = new CompletableFuture<ExchangeResult>();
      sender.exchange(large, TIMEOUT, ended::complete).send();

      assertThat(ended.get(5, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              ExchangeResult.Broken.class,
              broken -> assertThat(broken.cause()).isInstanceOf(TimeoutException.class));
      silent.countDown();
      assertThat(closed.await(15, TimeUnit.SECONDS)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\u0016"})
  void a_handshake_that_stalls_times_out_and_closes_its_connection(String drip) throws Exception {
    var closed = new CountDownLatch(1);
    try (var endpoint =
        new RawEndpoint(
            socket -> {
              // A handshake record of 16,000 bytes that never ends.
              write(socket, drip.isEmpty() ? "" : "\u0016\u0003\u0003>\u0080\u0002\u0000>");
              dripUntilClosed(socket, drip);
              closed.countDown();
            })) {
      assertThat(failureInTime("https://127.0.0.1:" + endpoint.port() + "/").code())
          .isEqualTo("no_answer");
      assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.1 110 More\r\n\r\n", "HTTP/1.1 200 OK\r\n"})
  void tests_of_a_target_and_launches_of_workflows_end_in_time_too(String start) throws Exception {
    try (var endpoint =
        new RawEndpoint(
            socket -> {
              RawEndpoint.readRequest(socket);
              write(socket, start);
              dripUntilClosed(socket, "");
            })) {
      var settings = HttpTargetSettings.parse(Map.of("url", endpoint.url(), "timeout", "PT0.3S"));
      var tested = new CompletableFuture<TestDelivery>();
      TestDelivery.send(sender, settings, "test-1", Payload.EMPTY, Instant.EPOCH, tested::complete);
      var launched = new CompletableFuture<Outcome>();
      Runnable unused =
          new HttpExecutor(sender, settings, InstantSource.system(), (launch, reason) -> {})
              .run(LAUNCH, launched::complete);

      for (var future : List.of(tested.thenApply(TestDelivery::outcome), launched)) {
        assertThat(future.get(5, TimeUnit.SECONDS))
            .isInstanceOfSatisfying(
                Outcome.Failed.class,
                failed -> assertThat(failed.failure().code()).isEqualTo("no_answer"));
      }
      assertThat(tested.get().status()).isEmpty();
    }
  }

  @Test
  void many_hostile_endpoints_at_once_leave_the_others_alone() throws Exception {
    try (var hostile =
            new RawEndpoint(
                socket -> {
                  RawEndpoint.readRequest(socket);
                  write(socket, "HTTP/1.1 110 More\r\n\r\n");
                });
        var kind = Endpoint.answering(200, "")) {
      List<TestRun> stuck = Stream.generate(() -> TestRun.of("nightly")).limit(200).toList();
      for (TestRun run : stuck) {
        run.on(hooks.to(hostile.url(), IMPATIENT));
      }
      assertThat(TestRun.of("nightly").on(hooks.to(kind.url())).outcome())
          .isEqualTo(Outcome.succeeded());
      for (TestRun run : stuck) {
        assertThat(run.failed().failure().code()).isEqualTo("no_answer");
      }
    }
  }
}
