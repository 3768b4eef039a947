package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Replies of every kind, of ours and of what reads HTTP for us: all have careful headers. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(120)
class EveryReplyTest {
  private static final String SIGNED =
      "Host: x\r\nConnection: close\r\nAuthorization: Bearer %s\r\n".formatted(Running.TOKEN);
  private static final String OPEN = "Host: x\r\nConnection: close\r\n";
  private static final String JSON = SIGNED + "Content-Type: application/json\r\n";

  private final PostgresServer postgres;
  private @TempDir Path folder;

  EveryReplyTest(PostgresServer postgres) {
    this.postgres = postgres;
  }

  private static String body(String text) {
    return "Content-Length: %s\r\n\r\n%s".formatted(text.length(), text);
  }

  /* What is asked, and the status that comes back. */
  private static Map<String, Integer> requests() {
    var all = new LinkedHashMap<String, Integer>();
    all.put("GET /healthz HTTP/1.1\r\n" + OPEN + "\r\n", 200);
    all.put("HEAD /healthz HTTP/1.1\r\n" + OPEN + "\r\n", 200);
    all.put("GET /readyz HTTP/1.1\r\n" + OPEN + "\r\n", 200);
    all.put("GET /metrics HTTP/1.1\r\n" + SIGNED + "\r\n", 200);
    all.put("GET /metrics HTTP/1.1\r\n" + OPEN + "\r\n", 401);
    all.put("GET /health HTTP/1.1\r\n" + SIGNED + "\r\n", 200);
    all.put("GET /openapi.json HTTP/1.1\r\n" + SIGNED + "\r\n", 200);
    all.put("GET /openapi.json HTTP/1.1\r\n" + SIGNED + "Accept-Encoding: gzip\r\n\r\n", 200);
    all.put("GET /api/v1/schedules HTTP/1.1\r\n" + SIGNED + "\r\n", 200);
    all.put("GET /api/v1/schedules HTTP/1.1\r\n" + OPEN + "\r\n", 401);
    all.put("GET /api/v1/schedules?lmit=1 HTTP/1.1\r\n" + SIGNED + "\r\n", 400);
    all.put("GET /api/v1/schedules/none HTTP/1.1\r\n" + SIGNED + "\r\n", 404);
    all.put("GET /nowhere HTTP/1.1\r\n" + OPEN + "\r\n", 404);
    all.put("GET / HTTP/1.1\r\n" + OPEN + "\r\n", 302);
    all.put("GET http://x/nowhere HTTP/1.1\r\n" + OPEN + "\r\n", 404);
    all.put("DELETE /healthz HTTP/1.1\r\n" + OPEN + "\r\n", 405);
    all.put("OPTIONS /healthz HTTP/1.1\r\n" + OPEN + "\r\n", 405);
    all.put("OPTIONS * HTTP/1.1\r\n" + OPEN + "\r\n", 404);
    all.put("TRACE /healthz HTTP/1.1\r\n" + OPEN + "\r\n", 405);
    all.put("CONNECT x:443 HTTP/1.1\r\n" + OPEN + "\r\n", 501);
    all.put("BREW /healthz HTTP/1.1\r\n" + OPEN + "\r\n", 501);
    all.put("get /healthz HTTP/1.1\r\n" + OPEN + "\r\n", 501);
    all.put("!#$%& /healthz HTTP/1.1\r\n" + OPEN + "\r\n", 501);
    all.put("X".repeat(3_000) + " /healthz HTTP/1.1\r\n" + OPEN + "\r\n", 501);
    all.put("GET /api/v1/schedules HTTP/1.1\r\n" + SIGNED + "Accept: text/html\r\n\r\n", 406);
    all.put("PUT /api/v1/schedules/a HTTP/1.1\r\n" + JSON + body("{"), 400);
    all.put("PUT /api/v1/schedules/a HTTP/1.1\r\n" + JSON + body("{}"), 422);
    all.put("PUT /api/v1/targets/a HTTP/1.1\r\n" + JSON + body("{\"type\": \"worker\"}"), 201);
    all.put("DELETE /api/v1/targets/a HTTP/1.1\r\n" + SIGNED + "\r\n", 204);
    all.put(
        "PUT /api/v1/targets/a HTTP/1.1\r\n" + SIGNED + "Content-Type: text/csv\r\n" + body("x"),
        415);
    all.put("PUT /api/v1/targets/a HTTP/1.1\r\n" + JSON + "Content-Length: 2000000\r\n\r\n", 413);
    all.put("NONSENSE\r\n\r\n", 400);
    all.put("GET /healthz\r\n\r\n", 505);
    all.put("GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n", 400);
    all.put(
        "GET /healthz HTTP/1.1\r\nConnection: close\r\nHost: " + " ".repeat(7_000) + "\r\n\r\n",
        400);
    all.put("GET /healthz HTTP/7.1\r\n" + OPEN + "\r\n", 505);
    all.put("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400);
    all.put("GET /%zz HTTP/1.1\r\n" + OPEN + "\r\n", 400);
    all.put("GET /healthz HTTP/1.1\r\n" + OPEN + "X: " + "x".repeat(9_000) + "\r\n\r\n", 431);
    all.put("GET /" + "x".repeat(9_000) + " HTTP/1.1\r\n" + OPEN + "\r\n", 414);
    all.put(
        "PUT /api/v1/targets/a HTTP/1.1\r\n" + JSON + "Transfer-Encoding: gzip, what\r\n\r\n", 400);
    return all;
  }

  private static void check(RawReply reply, String as) throws IOException {
    assertThat(reply.header("x-content-type-options")).as(as).isEqualTo("nosniff");
    assertThat(reply.header("content-security-policy"))
        .as(as)
        .isEqualTo("default-src 'none'; frame-ancestors 'none'");
    assertThat(reply.header("referrer-policy")).as(as).isEqualTo("no-referrer");
    assertThat(reply.header("cross-origin-resource-policy")).as(as).isEqualTo("same-origin");
    assertThat(reply.header("cache-control")).as(as).isEqualTo("no-store");
    assertThat(reply.header("server")).as(as).isEmpty();
    if (reply.status() >= 400) {
      assertThat(reply.header("content-type")).as(as).isEqualTo("application/problem+json");
      assertThat(Answer.parse(reply.text()).path("status").asInt())
          .as(as)
          .isEqualTo(reply.status());
    }
  }

  @Test
  void every_reply_has_careful_headers_and_every_error_is_a_problem() throws Exception {
    var others = new LinkedHashMap<String, Integer>();
    try (var server = new Running(postgres, folder, Map.of())) {
      int port = URI.create(server.url()).getPort();
      for (Map.Entry<String, Integer> wanted : requests().entrySet()) {
        String request = wanted.getKey();
        RawReply reply = reply(() -> new Socket(InetAddress.getLoopbackAddress(), port), request);
        if (reply.status() != wanted.getValue()) {
          others.put(request, reply.status());
        }
        check(reply, request);
        assertThat(reply.header("strict-transport-security")).as(request).isEmpty();
      }
      check(beginning(port), "the stream of events");
    }

    assertThat(others).isEmpty();
  }

  private static RawReply reply(Callable<Socket> connection, String request) throws Exception {
    try {
      return RawReply.over(connection.call(), request);
    } catch (IOException e) {
      throw new IOException(request, e);
    }
  }

  private static RawReply beginning(int port) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket
          .getOutputStream()
          .write(
              ("GET /api/v1/events HTTP/1.1\r\n" + SIGNED + "\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      socket.setSoTimeout(20_000);
      var head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        head.append((char) socket.getInputStream().read());
      }
      return RawReply.read(head.append("0\r\n").toString().getBytes(StandardCharsets.US_ASCII));
    }
  }

  @Test
  void browsers_are_told_to_come_by_tls_where_there_is_tls() throws Exception {
    var site = new Certified(folder, "localhost", "DNS:localhost,IP:127.0.0.1");
    Map<String, String> tls =
        Map.of("tls-certificate", site.certificate().toString(), "tls-key", site.key().toString());
    try (var server = new Running(postgres, folder, tls)) {
      int port = URI.create(server.url()).getPort();
      for (String request : requests().keySet()) {
        RawReply reply =
            reply(
                () -> Certified.trusting(site).getSocketFactory().createSocket("127.0.0.1", port),
                request);

        check(reply, request);
        assertThat(reply.header("strict-transport-security"))
            .as(request)
            .isEqualTo("max-age=31536000");
      }
    }
  }
}
