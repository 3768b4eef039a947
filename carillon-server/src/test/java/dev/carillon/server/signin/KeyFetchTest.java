package dev.carillon.server.signin;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.JWKSet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Issuers that keep the fetch of their keys open: it ends in time, and so does its connection. */
@Timeout(60)
class KeyFetchTest {
  private static final Duration SLACK = Duration.ofSeconds(5); // a loaded machine
  private static final String HEAD = "HTTP/1.1 200 OK\r\n";

  /** A connection that says {@code start} and then {@code drip} again and again. */
  private record Issuer(ServerSocket server, CompletableFuture<Void> closed) {
    static Issuer saying(String start, String drip) throws IOException {
      var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
      var closed = new CompletableFuture<Void>();
      var thread =
          new Thread(
              () -> {
                try (server;
                    Socket socket = server.accept()) {
                  socket.getOutputStream().write(start.getBytes(ISO_8859_1));
                  dripUntilClosed(socket, drip.getBytes(ISO_8859_1));
                  closed.complete(null);
                } catch (IOException reset) {
                  closed.complete(null);
                }
              },
              "issuer");
      thread.setDaemon(true);
      thread.start();
      return new Issuer(server, closed);
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

    CompletableFuture<JWKSet> keys(String scheme) {
      return new KeyFetch(URI.create(scheme + "://127.0.0.1:" + server.getLocalPort() + "/keys"))
          .keys();
    }
  }

  @Test
  void a_fetch_that_never_ends_times_out_and_closes_its_connection() throws Exception {
    var issuers = new LinkedHashMap<String, Issuer>();
    issuers.put("silence", Issuer.saying("", ""));
    issuers.put(
        "unknown interim answer, then silence", Issuer.saying("HTTP/1.1 110 A\r\n\r\n", ""));
    issuers.put("early hints, then silence", Issuer.saying("HTTP/1.1 103 A\r\n\r\n", ""));
    issuers.put("drip of interim answers", Issuer.saying("", "HTTP/1.1 103 A\r\n\r\n"));
    issuers.put(
        "flood of interim answers", Issuer.saying("", "HTTP/1.1 100 A\r\n\r\n".repeat(999)));
    issuers.put("drip of headers", Issuer.saying(HEAD, "x"));
    issuers.put("drip of body", Issuer.saying(HEAD + "Content-Length: 9999\r\n\r\n", " "));
    issuers.put("endless body", Issuer.saying(HEAD + "\r\n", " ".repeat(100_000)));
    issuers.put("handshake that stalls", Issuer.saying("", ""));
    issuers.put(
        "drip of a handshake", Issuer.saying("\u0016\u0003\u0003>\u0080\u0002\u0000>", "\u0001"));
    var fetches = new LinkedHashMap<String, CompletableFuture<JWKSet>>();
    long started = System.nanoTime();
    issuers.forEach(
        (what, issuer) ->
            fetches.put(what, issuer.keys(what.contains("handshake") ? "https" : "http")));

    for (Map.Entry<String, CompletableFuture<JWKSet>> each : fetches.entrySet()) {
      String words =
          each.getValue()
              .handle((keys, trouble) -> KeyFetch.words(trouble))
              .get(30, TimeUnit.SECONDS);
      assertThat(words)
          .as(each.getKey())
          .isIn("no whole answer in 2 s", "ProtocolException"); // newer JDKs count interim answers
    }
    assertThat(Duration.ofNanos(System.nanoTime() - started))
        .isLessThan(KeyFetch.FETCH_TIMEOUT.plus(SLACK));
    /* From these the client of Java 17 gives up without hanging up. */
    issuers.keySet().removeIf(what -> what.endsWith("of interim answers"));
    for (Map.Entry<String, Issuer> each : issuers.entrySet()) {
      assertThat(each.getValue().closed().orTimeout(10, TimeUnit.SECONDS))
          .as(each.getKey())
          .succeedsWithin(Duration.ofSeconds(11));
    }
  }

  @Test
  void interim_answers_are_ignored() throws Exception {
    Issuer issuer =
        Issuer.saying(
            "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 110 More\r\n\r\n"
                + HEAD
                + "Content-Length: 11\r\nConnection: close\r\n\r\n{\"keys\":[]}",
            "");

    assertThat(issuer.keys("http").get(10, TimeUnit.SECONDS).getKeys()).isEmpty();
  }
}
