package dev.carillon.targets.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.model.Failure;
import dev.carillon.target.Outcome;
import dev.carillon.targets.guard.AddressGuard;
import dev.carillon.targets.guard.AddressLookup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Endpoints that answer wrongly, half, too much, too late or not at all. */
class HttpTroubleTest {
  private static final Map<String, Object> IMPATIENT = Map.of("timeout", "PT0.5S");

  private final Hooks hooks = new Hooks();

  @AfterEach
  void close() {
    hooks.close();
  }

  private Outcome.Failed failed(HttpTarget target) throws Exception {
    Outcome.Failed failed = TestRun.of("nightly").on(target).failed();
    assertThat(failed.retryable()).isTrue();
    return failed;
  }

  @Test
  void an_endpoint_that_never_answers_times_out() throws Exception {
    try (var endpoint = new RawEndpoint(RawEndpoint::readRequest)) {
      Outcome.Failed failed = failed(hooks.to(endpoint.url(), IMPATIENT));

      assertThat(failed.failure().code()).isEqualTo("no_answer");
      assertThat(failed.failure().message())
          .isEqualTo("POST " + endpoint.url() + " failed: no whole answer in time");
      assertThat(endpoint.connections()).isEqualTo(1);
    }
  }

  @Test
  void an_endpoint_that_drips_its_answer_times_out() throws Exception {
    var over = new CountDownLatch(1);
    try (var endpoint =
        new RawEndpoint(
            socket -> {
              RawEndpoint.readRequest(socket);
              write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
              drip(socket, over);
            })) {
      Outcome.Failed failed = failed(hooks.to(endpoint.url(), IMPATIENT));
      over.countDown();

      assertThat(failed.failure().code()).isEqualTo("no_answer");
    }
  }

  private static void drip(Socket socket, CountDownLatch over) throws IOException {
    try {
      for (int i = 0; i < 500 && !over.await(20, TimeUnit.MILLISECONDS); i++) {
        write(socket, ".");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "HTTP/1.1 200 OK\r\nContent-Le",
        "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhal"
      })
  void an_answer_cut_off_is_a_failure(String half) throws Exception {
    try (var endpoint = RawEndpoint.saying(half)) {
      Outcome.Failed failed = failed(hooks.to(endpoint.url()));

      assertThat(failed.failure().code()).isIn("network", "bad_answer");
      assertThat(endpoint.connections()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-OpenSSH_9.2\r\n\r\n",
        "\u0000\u0001\u0002\u0003\u0004garbage\r\n\r\n",
        "HTTP/1.1 abc OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
      })
  void garbage_is_a_failure(String garbage) throws Exception {
    try (var endpoint = RawEndpoint.saying(garbage)) {
      Failure failure = failed(hooks.to(endpoint.url())).failure();

      assertThat(failure.code()).isIn("bad_answer", "network");
      assertThat(failure.message()).doesNotContain("@", "jetty", "Connection");
      assertThat(endpoint.connections()).isEqualTo(1);
    }
  }

  @Test
  void endless_headers_are_a_failure() throws Exception {
    try (var endpoint =
        RawEndpoint.saying("HTTP/1.1 200 OK\r\n" + "x-more: 0123456789\r\n".repeat(5_000))) {
      assertThat(failed(hooks.to(endpoint.url())).failure().code()).isIn("bad_answer", "network");
    }
  }

  @Test
  void hints_before_the_answer_are_not_the_answer() throws Exception {
    try (var endpoint =
        RawEndpoint.saying(
            String.join(
                "\r\n",
                "HTTP/1.1 100 Continue",
                "",
                "HTTP/1.1 103 Early Hints",
                "link: </a>",
                "",
                "HTTP/1.1 500 Broken",
                "Content-Length: 0",
                "",
                ""))) {
      assertThat(failed(hooks.to(endpoint.url())).failure().code()).isEqualTo("http_500");
    }
  }

  @Test
  void of_an_endless_answer_only_the_beginning_is_read() throws Exception {
    var written = new AtomicInteger();
    var cut = new CountDownLatch(1);
    try (var endpoint =
        new RawEndpoint(
            socket -> {
              RawEndpoint.readRequest(socket);
              write(socket, "HTTP/1.1 500 Broken\r\n\r\n");
              try {
                while (written.get() < 200_000_000) {
                  write(socket, "0123456789".repeat(1_000));
                  written.addAndGet(10_000);
                }
              } catch (IOException connectionClosed) {
                cut.countDown();
              }
            })) {
      Outcome.Failed failed = failed(hooks.to(endpoint.url()));
      cut.await();

      assertThat(failed.failure().code()).isEqualTo("http_500");
      assertThat(failed.failure().details().orElseThrow())
          .startsWith("HTTP 500\n\n0123456789")
          .endsWith("\n[the answer was longer than 64 KiB; the rest was not read]");
      assertThat(written.get()).isLessThan(50_000_000);
    }
  }

  @Test
  void a_long_answer_of_success_is_success() throws Exception {
    try (var endpoint = Endpoint.answering(200, "x".repeat(1_000_000))) {
      assertThat(TestRun.of("nightly").on(hooks.to(endpoint.url())).outcome())
          .isEqualTo(Outcome.succeeded());
    }
  }

  @Test
  void an_answer_of_exactly_the_bound_is_whole() throws Exception {
    try (var endpoint = Endpoint.answering(500, "x".repeat(EndpointResponse.MAX_SIZE))) {
      assertThat(failed(hooks.to(endpoint.url())).failure().details().orElseThrow())
          .doesNotContain("the rest was not read");
    }
  }

  @Test
  void a_launch_that_cannot_connect_is_tried_three_times() throws Exception {
    int port;
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = taken.getLocalPort();
    }
    var lookups = new AtomicInteger();
    AddressLookup counting =
        host -> {
          lookups.incrementAndGet();
          return List.of(InetAddress.getLoopbackAddress());
        };
    try (var counted =
        new Hooks(
            HttpSender.start(
                AddressGuard.allowing(List.of("inside.test")),
                counting,
                SSLContext.getDefault()))) {
      Outcome.Failed failed = failed(counted.to("http://inside.test:" + port + "/hook"));

      assertThat(failed.failure().code()).isEqualTo("no_connection");
      assertThat(lookups).hasValue(3);
    }
  }

  @Test
  void a_launch_that_connects_at_the_second_try_is_no_failure() throws Exception {
    var lookups = new AtomicInteger();
    AddressLookup flaky =
        host -> {
          if (lookups.incrementAndGet() == 1) {
            throw new UnknownHostException(host);
          }
          return List.of(InetAddress.getLoopbackAddress());
        };
    try (var endpoint = Endpoint.answering(200, "");
        var hooks =
            new Hooks(
                HttpSender.start(
                    AddressGuard.allowing(List.of("inside.test")),
                    flaky,
                    SSLContext.getDefault()))) {
      TestRun run =
          TestRun.of("nightly").on(hooks.to("http://inside.test:" + endpoint.port() + "/hook"));

      assertThat(run.outcome()).isEqualTo(Outcome.succeeded());
      assertThat(endpoint.received()).hasSize(1);
    }
  }

  @Test
  void an_unknown_name_is_a_failure_that_may_pass() throws Exception {
    AddressLookup nothing =
        host -> {
          throw new UnknownHostException(host);
        };
    try (var hooks =
        new Hooks(HttpSender.start(AddressGuard.strict(), nothing, SSLContext.getDefault()))) {
      Outcome.Failed failed = failed(hooks.to("http://nowhere.test/"));

      assertThat(failed.failure().code()).isEqualTo("unknown_host");
      assertThat(failed.failure().message())
          .isEqualTo("POST http://nowhere.test/ failed: there is no host of that name");
    }
  }

  @Test
  void a_message_that_was_sent_is_not_sent_again() throws Exception {
    try (var endpoint = RawEndpoint.saying("")) {
      TestRun run = TestRun.of("nightly").on(hooks.to(endpoint.url()));
      run.outcome();

      assertThat(endpoint.connections()).isEqualTo(1);
      assertThat(run.outcomes()).hasSize(1);
    }
  }
}
