package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.server.web.Reply;
import dev.carillon.server.web.RequestPipeline;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.server.web.Routes;
import dev.carillon.server.web.TrustedProxies;
import dev.carillon.server.web.WebServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Headers that Jetty refuses do not come into the log, and few lines do. */
class JettyWarningsTest {
  @Test
  void refused_headers_are_logged_rarely_and_without_what_they_held() throws Exception {
    ServerSocketChannel channel =
        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    var routes =
        new Routes(
            List.of(
                Route.get("/bell", Role.OPEN, "ring")
                    .summary("Ring")
                    .answers(200, "Any", request -> Reply.done())));
    try (var log = new LogCapture();
        WebServer web =
            WebServer.start(
                channel, Optional.empty(), TrustedProxies.NONE, new RequestPipeline(routes))) {
      for (int i = 0; i < 50; i++) {
        assertThat(web).isNotNull();
        for (String host :
            List.of("secret" + " ".repeat(7_000) + "x", "x:" + " ".repeat(7_000) + "secret")) {
          RawReply reply =
              RawReply.to(
                  channel.socket().getLocalPort(),
                  "GET /bell HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n".formatted(host));
          assertThat(reply.status()).isEqualTo(400);
        }
      }

      assertThat(log.text()).contains("HostPort: Bad Authority").doesNotContain("secret", "   ");
      assertThat(log.text().lines().filter(line -> line.contains("HostPort"))).hasSize(1);
    }
  }
}
