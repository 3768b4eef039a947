package dev.carillon.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What goes over the socket, whatever the route. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebServerTest {
  private final ServerSocketChannel channel = Loopback.bound();
  private final HttpClient client = HttpClient.newHttpClient();
  private final CompletableFuture<Boolean> givenUp = new CompletableFuture<>();
  private final WebServer web;

  WebServerTest() {
    web =
        WebServer.start(
            channel,
            Optional.empty(),
            TrustedProxies.NONE,
            new RequestPipeline(
                new Routes(List.of(bell(), take(), broken(), live(), flood(), echo()))));
  }

  private static Route bell() {
    return Route.get("/bell", Role.OPEN, "ring")
        .summary("Ring")
        .answers(200, "Any", request -> Reply.ok(Map.of("path", request.path())));
  }

  private static Route take() {
    return Route.post("/bells/{name}", Role.OPEN, "take")
        .summary("Take")
        .takes("Any")
        .answers(
            200,
            "Any",
            request ->
                Reply.ok(
                    new TreeMap<>(
                        Map.of("name", request.part("name"), "bytes", request.body().length))));
  }

  private static Route echo() {
    return Route.get("/echo", Role.OPEN, "echo")
        .summary("Echo")
        .answers(
            200,
            "Any",
            request -> Reply.ok(Map.of("said", request.header("Authorization").orElse(""))));
  }

  private static Route live() {
    return Route.get("/live", Role.OPEN, "live")
        .summary("Live")
        .as("text/event-stream")
        .answers(
            200,
            "Any",
            request ->
                Reply.live(
                    "text/event-stream",
                    sink -> {
                      for (int i = 0; i < 1_000; i++) {
                        sink.send("data: " + i + "\n\n");
                      }
                      CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS)
                          .execute(sink::end);
                    }));
  }

  private Route flood() {
    return Route.get("/flood", Role.OPEN, "flood")
        .summary("Flood")
        .as("text/event-stream")
        .answers(
            200,
            "Any",
            request ->
                Reply.live(
                    "text/event-stream",
                    sink -> {
                      var unused =
                          CompletableFuture.runAsync(() -> drown(sink))
                              .whenComplete((done, failure) -> givenUp.complete(failure == null));
                    }));
  }

  private static void drown(EventSink sink) {
    while (sink.send("x".repeat(10_000))) {
      Thread.onSpinWait();
    }
  }

  private static Route broken() {
    return Route.get("/broken", Role.OPEN, "break")
        .summary("Break")
        .answers(
            200,
            "Any",
            request -> {
              throw new IllegalStateException("secret");
            });
  }

  @AfterAll
  void stop() {
    web.close();
  }

  @Test
  void a_reply_is_written_as_json_with_careful_headers() throws Exception {
    var reply = send("GET", "/bell");

    assertThat(reply.statusCode()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo("{\"path\":\"/bell\"}");
    assertThat(reply.headers().firstValue("Content-Type")).contains("application/json");
    assertThat(reply.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    assertThat(reply.headers().map()).doesNotContainKeys("server", "x-powered-by");
  }

  @Test
  void head_answers_like_get_without_the_body() throws Exception {
    var reply = send("HEAD", "/bell");

    assertThat(reply.statusCode()).isEqualTo(200);
    assertThat(reply.headers().firstValue("Content-Type")).contains("application/json");
    assertThat(reply.body()).isEmpty();
  }

  @Test
  void a_header_keeps_its_case_whatever_was_sent_before_on_the_connection() {
    String request = "GET /echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n%s\r\n";

    String reply =
        talk(request.formatted("Dong", "") + request.formatted("dONG", "Connection: close\r\n"));

    assertThat(reply).contains("{\"said\":\"Bearer Dong\"}", "{\"said\":\"Bearer dONG\"}");
  }

  @Test
  void what_is_sent_bit_by_bit_arrives_in_order() throws Exception {
    var reply = send("GET", "/live");

    assertThat(reply.headers().firstValue("Content-Type")).contains("text/event-stream");
    assertThat(reply.body().lines().filter(line -> !line.isEmpty()))
        .containsExactlyElementsOf(IntStream.range(0, 1_000).mapToObj(i -> "data: " + i).toList());
    assertThat(send("HEAD", "/live").body()).isEmpty();
  }

  @Test
  void a_client_that_does_not_read_is_given_up() throws Exception {
    try (var socket =
        new Socket(InetAddress.getLoopbackAddress(), channel.socket().getLocalPort())) {
      socket
          .getOutputStream()
          .write("GET /flood HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

      assertThat(givenUp.get(30, TimeUnit.SECONDS)).isTrue();
      assertThat(send("GET", "/bell").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void what_is_not_there_yet_is_unavailable() throws Exception {
    var reply = send("GET", "/rope");

    assertThat(reply.statusCode()).isEqualTo(503);
    assertThat(reply.headers().firstValue("Retry-After")).contains("1");
    assertThat(reply.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(reply.body())
        .isEqualTo(
            """
            {"type":"/docs/problems/unavailable","title":"The server cannot answer now","status":503,\
            "detail":"The server is starting; try again.","instance":"/rope","code":"unavailable"}""");
  }

  @Test
  void a_name_in_a_path_may_hold_anything_that_is_encoded() throws Exception {
    var reply =
        client.send(
            HttpRequest.newBuilder(URI.create(url() + "/bells/a%2Fb%20%C3%A9..;c"))
                .POST(BodyPublishers.ofString("{}"))
                .build(),
            BodyHandlers.ofString());

    assertThat(reply.body()).isEqualTo("{\"bytes\":2,\"name\":\"a/b é..;c\"}");
  }

  @Test
  void broken_encoding_is_a_problem() {
    for (String path : List.of("/bells/%zz", "/bells/%ff", "/bells/%00", "/bell?x=%e9", "/%")) {
      String reply =
          talk(
              "POST %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
                  .formatted(path));

      assertThat(reply).as(path).startsWith("HTTP/1.1 4").contains("application/problem+json");
    }
  }

  @Test
  void a_body_in_chunks_is_bounded_too() {
    var body = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      body.append("10000\r\n").append("x".repeat(0x10000)).append("\r\n");
    }
    String reply =
        talk(
            "POST /bells/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
                + body
                + "0\r\n\r\n");

    assertThat(reply).startsWith("HTTP/1.1 413 ").contains("application/problem+json");
  }

  @Test
  void an_unknown_method_is_a_problem() throws Exception {
    Map<String, Integer> statuses =
        Map.of("BREW", 501, "brew", 501, "get", 501, "OPTIONS", 405, "TRACE", 405);
    statuses.forEach(
        (method, status) -> {
          String reply = talk(method + " /bell HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

          assertThat(reply)
              .as(method)
              .startsWith("HTTP/1.1 %s ".formatted(status))
              .contains("application/problem+json");
        });
  }

  @Test
  void the_answer_to_a_wrong_method_lists_the_right_ones() throws Exception {
    var reply = send("DELETE", "/bell");

    assertThat(reply.statusCode()).isEqualTo(405);
    assertThat(reply.headers().firstValue("Allow")).contains("GET, HEAD");
    assertThat(reply.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(reply.body()).contains("\"code\":\"method-not-allowed\"");
  }

  @Test
  void a_handler_that_throws_reveals_no_more_than_that() throws Exception {
    var reply = send("GET", "/broken");

    assertThat(reply.statusCode()).isEqualTo(500);
    assertThat(reply.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(reply.body()).doesNotContain("secret", "Exception", "\\tat ");
  }

  @Test
  void headers_that_are_too_large_are_refused() throws Exception {
    var reply =
        client.send(
            request("GET", "/bell").header("X-Long", "x".repeat(20_000)).build(),
            BodyHandlers.ofString());

    assertThat(reply.statusCode()).isEqualTo(431);
    assertThat(reply.headers().firstValue("Content-Type")).contains("application/problem+json");
  }

  @Test
  void a_body_that_is_too_large_is_refused_before_it_is_sent() {
    String reply =
        talk(
            "POST /bells/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 9000000\r\n\r\n");

    assertThat(reply).startsWith("HTTP/1.1 413 ").contains("application/problem+json");
  }

  @Test
  void what_is_not_http_gets_a_problem_and_no_stack_trace() {
    String reply = talk("NONSENSE\r\n\r\n");

    assertThat(reply).startsWith("HTTP/1.1 4").contains("application/problem+json");
    assertThat(reply).doesNotContain("\tat ", "Exception", "Server:");
  }

  private String url() {
    return "http://127.0.0.1:" + channel.socket().getLocalPort();
  }

  private String talk(String request) {
    try (var socket =
        new Socket(InetAddress.getLoopbackAddress(), channel.socket().getLocalPort())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private HttpResponse<String> send(String method, String path) throws Exception {
    return client.send(request(method, path).build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String method, String path) {
    return HttpRequest.newBuilder(URI.create(url() + path)).method(method, BodyPublishers.noBody());
  }
}
