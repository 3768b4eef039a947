package dev.carillon.targets.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.target.Outcome;
import dev.carillon.target.StopReason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls that are given up. */
class HttpStopTest {
  private final Hooks hooks = new Hooks();

  @AfterEach
  void close() {
    hooks.close();
  }

  @ParameterizedTest
  @EnumSource(StopReason.class)
  void a_call_that_is_stopped_ends_at_once_and_closes_its_connection(StopReason reason)
      throws Exception {
    var received = new CountDownLatch(1);
    var closed = new CountDownLatch(1);
    try (var endpoint =
        new RawEndpoint(
            socket -> {
              RawEndpoint.readRequest(socket);
              received.countDown();
              try {
                if (socket.getInputStream().read() < 0) {
                  closed.countDown();
                }
              } catch (IOException reset) {
                closed.countDown();
              }
            })) {
      TestRun run = TestRun.of("nightly").on(hooks.to(endpoint.url()));
      assertThat(received.await(30, TimeUnit.SECONDS)).isTrue();
      run.stop(reason);

      assertThat(run.outcomes())
          .singleElement()
          .isInstanceOf(
              switch (reason) {
                case CANCELED -> Outcome.Canceled.class;
                case TIMEOUT -> Outcome.Failed.class;
                case FENCED, STOPPING -> Outcome.Interrupted.class;
              });
      assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(run.outcomes()).hasSize(1);
    }
  }

  @Test
  void a_call_stopped_between_two_tries_is_not_tried_again() throws Exception {
    int port;
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = taken.getLocalPort();
    }
    TestRun run = TestRun.of("nightly").on(hooks.to("http://127.0.0.1:" + port + "/"));
    run.stop(StopReason.CANCELED);

    assertThat(run.outcomes()).singleElement().isInstanceOf(Outcome.Canceled.class);
  }

  @Test
  void a_run_that_was_stopped_before_it_began_is_not_sent() throws Exception {
    try (var endpoint = Endpoint.answering(200, "")) {
      TestRun run = TestRun.of("nightly");
      run.stop(StopReason.CANCELED);
      run.on(hooks.to(endpoint.url()));

      assertThat(run.outcome()).isInstanceOf(Outcome.Canceled.class);
      assertThat(endpoint.received()).isEmpty();
    }
  }
}
