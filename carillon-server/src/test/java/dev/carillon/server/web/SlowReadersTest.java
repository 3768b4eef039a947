package dev.carillon.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Await;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that ask for large replies and do not read them take a bounded part of the memory. */
@Timeout(120)
class SlowReadersTest {
  private static final int LARGE = 16 * 1024 * 1024;

  private final ServerSocketChannel channel = Loopback.bound();
  private final ReplyMemory memory = new ReplyMemory(1);
  private final BlockingQueue<Request> waiting = new LinkedBlockingQueue<>();
  private final BlockingQueue<CompletableFuture<Reply>> replies = new LinkedBlockingQueue<>();
  private final List<Socket> clients = new ArrayList<>();
  private final WebServer web =
      WebServer.start(
          channel,
          Optional.empty(),
          TrustedProxies.NONE,
          new RequestPipeline(new Routes(List.of(large(), bell(), later())), memory));

  @AfterEach
  void close() throws IOException {
    for (Socket client : clients) {
      client.close();
    }
    web.close();
  }

  private static Route large() {
    return Route.get("/large", Role.OPEN, "large")
        .summary("Large")
        .answers(200, "Any", request -> Reply.ok(List.of("é".repeat(LARGE / 2))));
  }

  /* As a claim that waits: what is given is not known at once, and must be written then. */
  private Route later() {
    return Route.post("/later", Role.OPEN, "later")
        .summary("Later")
        .mayTake("Any")
        .answers(
            200,
            "Any",
            request -> {
              var reply = new CompletableFuture<Reply>();
              waiting.add(request);
              replies.add(reply);
              return Reply.later(reply, () -> {});
            });
  }

  private static Route bell() {
    return Route.get("/bell", Role.OPEN, "ring")
        .summary("Ring")
        .answers(200, "Any", request -> Reply.ok(Map.of("rings", true)));
  }

  private int port() throws IOException {
    return ((InetSocketAddress) channel.getLocalAddress()).getPort();
  }

  /* Reads no more than the first line. */
  private String ask(String path) throws IOException {
    Socket client = send("GET", path);
    return new String(
        client.getInputStream().readNBytes("HTTP/1.1 200".length()), StandardCharsets.US_ASCII);
  }

  private Socket send(String method, String path) throws IOException {
    var client = new Socket();
    client.setReceiveBufferSize(4096);
    client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()));
    clients.add(client);
    client
        .getOutputStream()
        .write(
            "%s %s HTTP/1.1\r\nHost: bells\r\nContent-Length: 0\r\n\r\n"
                .formatted(method, path)
                .getBytes(StandardCharsets.US_ASCII));
    return client;
  }

  @Test
  void many_who_wait_and_are_given_much_at_once_take_a_bounded_part_of_the_memory()
      throws Exception {
    for (int i = 0; i < 64; i++) {
      send("POST", "/later");
    }
    int given = 0;
    for (int i = 0; i < 64; i++) {
      Request request = waiting.take();
      CompletableFuture<Reply> reply = replies.take();
      try {
        given +=
            request.makingLater(
                () -> {
                  reply.complete(Reply.ok(List.of("x".repeat(LARGE / 4))));
                  return 1;
                });
      } catch (ProblemException refused) {
        reply.complete(refused.problem().reply("/later"));
      }
    }

    assertThat(given).isBetween(1, 9);
    assertThat(memory.taken()).as("two shares and one reply").isLessThan(3L * LARGE);
    assertThat(ask("/bell")).isEqualTo("HTTP/1.1 200");
  }

  @Test
  void a_reply_is_refused_while_too_many_are_not_read_and_given_once_they_are_gone()
      throws Exception {
    var answers = new ArrayList<String>();
    for (int i = 0; i < 5; i++) {
      answers.add(ask("/large"));
    }

    assertThat(answers)
        .startsWith("HTTP/1.1 200", "HTTP/1.1 200")
        .endsWith("HTTP/1.1 503", "HTTP/1.1 503");
    assertThat(ask("/bell")).isEqualTo("HTTP/1.1 200");
    assertThat(memory.taken()).isBetween(2L * LARGE, 3L * LARGE);

    for (Socket client : clients) {
      client.close();
    }
    Await.until("the memory of replies whose clients left", () -> memory.taken() == 0);
    assertThat(ask("/large")).isEqualTo("HTTP/1.1 200");
  }

  @Test
  void a_large_reply_arrives_whole_plain_or_compressed() throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%s/large".formatted(port())));
    HttpClient client = HttpClient.newHttpClient();

    String plain = client.send(request.build(), BodyHandlers.ofString()).body();
    byte[] packed =
        client
            .send(request.header("Accept-Encoding", "gzip").build(), BodyHandlers.ofByteArray())
            .body();

    assertThat(plain).isEqualTo("[\"" + "é".repeat(LARGE / 2) + "\"]");
    try (var in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(plain);
    }
    Await.until("the memory of replies that were read", () -> memory.taken() == 0);
  }
}
