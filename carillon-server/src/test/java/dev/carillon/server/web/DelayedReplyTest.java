package dev.carillon.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that are answered later, over real sockets. */
@Timeout(60)
class DelayedReplyTest {
  private final BlockingQueue<Request> asked = new LinkedBlockingQueue<>();
  private final CompletableFuture<Reply> reply = new CompletableFuture<>();
  private final ServerSocketChannel channel = Loopback.bound();
  private final WebServer web =
      WebServer.start(
          channel,
          Optional.empty(),
          TrustedProxies.NONE,
          new RequestPipeline(
              new Routes(
                  List.of(
                      Route.get("/wait", Role.OPEN, "wait")
                          .summary("Wait")
                          .answers(200, "Any", this::later)))));

  private Reply later(Request request) {
    asked.add(request);
    return Reply.later(reply, () -> reply.complete(Reply.ok(Map.of("hurried", true))));
  }

  @AfterEach
  void stop() {
    web.close();
  }

  private CompletableFuture<String> ask() {
    return HttpClient.newHttpClient()
        .sendAsync(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:%s/wait".formatted(port())))
                .build(),
            BodyHandlers.ofString())
        .thenApply(answer -> answer.body());
  }

  private int port() {
    return channel.socket().getLocalPort();
  }

  @Test
  void many_more_may_wait_than_there_are_threads() throws Exception {
    var waiting = new ArrayList<CompletableFuture<String>>();
    for (int i = 0; i < 200; i++) {
      waiting.add(ask());
    }
    for (int i = 0; i < 200; i++) {
      asked.take();
    }
    reply.complete(Reply.ok(Map.of("bell", "rung")));

    for (CompletableFuture<String> one : waiting) {
      assertThat(one.get(30, TimeUnit.SECONDS)).isEqualTo("{\"bell\":\"rung\"}");
    }
  }

  @Test
  void a_client_that_leaves_while_it_waits_is_noticed() throws Exception {
    Request request;
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
      socket
          .getOutputStream()
          .write("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      request = asked.take();
      assertThat(request.isPresent()).isTrue();
    }
    Await.until("the client to be missed", () -> !request.isPresent());
    reply.complete(Reply.ok(Map.of()));
  }

  @Test
  void a_client_that_stays_is_answered_on_a_connection_that_goes_on() throws Exception {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
      byte[] request = "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
      socket.getOutputStream().write(request);
      assertThat(asked.take().isPresent()).isTrue();
      reply.complete(Reply.ok(Map.of("bell", "rung")));
      assertThat(new String(read(socket), StandardCharsets.US_ASCII))
          .endsWith("{\"bell\":\"rung\"}");
      socket.getOutputStream().write(request);

      assertThat(new String(read(socket), StandardCharsets.US_ASCII)).startsWith("HTTP/1.1 200");
    }
  }

  private static byte[] read(Socket socket) throws IOException {
    var all = new ByteArrayOutputStream();
    for (int next = 0; next != '}'; ) {
      next = socket.getInputStream().read();
      assertThat(next).isNotNegative();
      all.write(next);
    }
    return all.toByteArray();
  }

  @Test
  void a_server_that_stops_answers_those_who_wait_at_once() throws Exception {
    CompletableFuture<String> waiting = ask();
    asked.take();
    web.close();

    assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo("{\"hurried\":true}");
  }
}
