package dev.carillon.cli.remote;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.cli.console.CommandFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers that keep an answer open: the command ends in time, and so does its connection. */
@Timeout(60)
class HostileServerTest {
  @ParameterizedTest
  @CsvSource({
    "silence, '', ''",
    "drip of headers, 'HTTP/1.1 200 OK\r\n', x",
    "drip of the body, 'HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n', .",
    "interim answer and silence, 'HTTP/1.1 110 More\r\n\r\n', ''",
  })
  void an_answer_that_never_ends_is_given_up(String what, String start, String drip)
      throws Exception {
    var closed = new CountDownLatch(1);
    try (var listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      var thread =
          new Thread(
              () -> {
                try (Socket socket = listener.accept()) {
                  socket.getOutputStream().write(start.getBytes(ISO_8859_1));
                  dripUntilClosed(socket, drip.getBytes(ISO_8859_1));
                } catch (IOException reset) {
                  // as good as closed
                }
                closed.countDown();
              });
      thread.setDaemon(true);
      thread.start();
      var client =
          new Client(
              new Endpoint(
                  URI.create("http://127.0.0.1:" + listener.getLocalPort()),
                  Optional.empty(),
                  "nowhere"),
              Optional.empty(),
              Duration.ofMillis(400));

      assertThatThrownBy(() -> client.ask(Call.get("me")))
          .isInstanceOf(CommandFailure.class)
          .hasMessageContaining("it took too long");
      assertThat(closed.await(10, TimeUnit.SECONDS)).as("connection closed").isTrue();
    }
  }

  private static void dripUntilClosed(Socket socket, byte[] drip) throws IOException {
    socket.setSoTimeout(20);
    while (true) {
      try {
        if (socket.getInputStream().read(new byte[4_096]) < 0) {
          return;
        }
      } catch (SocketTimeoutException stillOpen) {
        socket.getOutputStream().write(drip);
      }
    }
  }
}
