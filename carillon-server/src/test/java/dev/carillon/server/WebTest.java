package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What goes over the socket, whatever the route. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebTest {
  private final Listener listener = Listener.bind("127.0.0.1", 0);
  private final HttpClient client = HttpClient.newHttpClient();
  private final Web web;

  WebTest() {
    web =
        Web.start(
            listener,
            List.of(
                Route.get("/bell", request -> Reply.json(200, Map.of("path", request.path()))),
                Route.get(
                    "/broken",
                    request -> {
                      throw new IllegalStateException("secret");
                    })));
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
  void an_unknown_path_is_a_problem() throws Exception {
    var reply = send("GET", "/rope");

    assertThat(reply.statusCode()).isEqualTo(404);
    assertThat(reply.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(reply.body())
        .isEqualTo(
            """
            {"type":"about:blank","title":"Not Found","status":404,\
            "detail":"There is nothing at this path.","instance":"/rope","code":"not-found"}""");
  }

  @Test
  void a_wrong_method_is_told_the_right_ones() throws Exception {
    var reply = send("DELETE", "/bell");

    assertThat(reply.statusCode()).isEqualTo(405);
    assertThat(reply.headers().firstValue("Allow")).contains("GET, HEAD");
    assertThat(reply.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(reply.body()).contains("\"code\":\"method-not-allowed\"");
  }

  @Test
  void a_handler_that_throws_tells_no_more_than_that() throws Exception {
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
  void a_body_that_is_too_large_is_refused_before_it_is_sent() throws IOException {
    String reply =
        talk(
            "POST /bell HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 9000000\r\n\r\n");

    assertThat(reply).startsWith("HTTP/1.1 413 ").contains("application/problem+json");
  }

  @Test
  void what_is_not_http_gets_a_problem_and_no_stack_trace() throws IOException {
    String reply = talk("NONSENSE\r\n\r\n");

    assertThat(reply).startsWith("HTTP/1.1 4").contains("application/problem+json");
    assertThat(reply).doesNotContain("\tat ", "Exception", "Server:");
  }

  private String talk(String request) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private HttpResponse<String> send(String method, String path) throws Exception {
    return client.send(request(method, path).build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String method, String path) {
    return HttpRequest.newBuilder(URI.create(listener.url() + path))
        .method(method, BodyPublishers.noBody());
  }
}
