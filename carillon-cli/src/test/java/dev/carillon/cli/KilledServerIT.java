package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands beside the data folder of a server that was killed, whose port another process took. */
@Timeout(180)
class KilledServerIT {
  @TempDir Path folder;

  @Test
  void whoever_takes_the_port_of_a_killed_server_gets_no_token() throws Exception {
    Path data = folder.resolve("data");
    var heard = new CopyOnWriteArrayList<String>();
    var deceived = new ArrayList<Program>();
    try (var server = Program.start("serve", "--port", "0", "--data", data.toString())) {
      URI url = URI.create(server.url());
      String token = Files.readString(data.resolve("admin-token")).strip();
      assertThat(command(data, "target", "list").exitCode()).isZero();
      server.kill();
      Program alone = command(data, "target", "list");
      assertThat(alone.exitCode()).isEqualTo(7);
      try (var listener = new ServerSocket()) {
        listener.setReuseAddress(true);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), url.getPort()));
        var thread = new Thread(() -> answerAll(listener, heard), "hostile-listener");
        thread.setDaemon(true);
        thread.start();
        for (List<String> words :
            List.of(
                List.of("target", "list"),
                List.of("run", "watch"),
                List.of("token", "create", "x", "--role", "admin"))) {
          deceived.add(command(data, words.toArray(String[]::new)));
          deceived.get(deceived.size() - 1).exitCode();
        }
        command(data, "doctor").exitCode();
      }
      assertThat(heard).isNotEmpty();
      assertThat(String.join("\n", heard))
          .contains("GET ")
          .doesNotContainIgnoringCase("authorization")
          .doesNotContain(token);
      for (Program command : deceived) {
        assertThat(command.exitCode()).isEqualTo(7);
        assertThat(String.join("\n", command.err()))
            .contains(
                "what answers at " + url + " is not the server recorded in",
                "the token was not sent");
      }
      assertThat(String.join("\n", alone.err()))
          .contains("the server recorded in", "is not running (pid " + server.pid() + ")");
    }
  }

  private static Program command(Path data, String... words) {
    var all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--data", data.toString()));
    return Program.start(all.toArray(String[]::new));
  }

  /* Says yes to everything, as a thief would. */
  private static void answerAll(ServerSocket listener, List<String> heard) {
    while (!listener.isClosed()) {
      try (Socket socket = listener.accept()) {
        socket.setSoTimeout(2_000);
        var bytes = new byte[8_192];
        int count = socket.getInputStream().read(bytes);
        heard.add(new String(bytes, 0, Math.max(0, count), StandardCharsets.ISO_8859_1));
        socket
            .getOutputStream()
            .write(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 34\r\nConnection: close\r\n\r\n{\"proof\":\"AAAA\",\"status\":\"ok\"}    "
                    .getBytes(StandardCharsets.ISO_8859_1));
      } catch (IOException e) {
        // the next one
      }
    }
  }
}
