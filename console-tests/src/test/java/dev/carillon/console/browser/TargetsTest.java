package dev.carillon.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithConsole.class)
class TargetsTest {
  private final RealServer server;
  private final Chromium browser;

  TargetsTest(RealServer server, Chromium browser) {
    this.server = server;
    this.browser = browser;
  }

  private Console at(String view) {
    return new Console(browser, server.url()).signedIn(RealServer.ADMIN, view);
  }

  @Test
  void a_target_shows_where_it_leads_and_how_its_runs_ended() {
    try (var console = at("targets")) {
      console.sees("tr[data-key=billing]", "https://billing.invalid/close");
      console.sees("tr[data-key=billing] td[data-column=ended]", "failed");
      console.sees("tr[data-key=recon]", "workers fetch its runs");
      console.sees("tr[data-key=log]", "built in").isTitled("Targets · Carillon");
      console.clicks("tr[data-key=billing] td[data-column=ended] a");
      console.isAt("/console/runs?target=billing&state=failed").sees("invoice-close");
    }
  }

  @Test
  void a_test_that_is_sent_arrives_and_says_what_came_back() throws IOException {
    var asked = new AtomicInteger();
    var endpoint = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
    endpoint.createContext(
        "/",
        exchange -> {
          asked.incrementAndGet();
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    endpoint.start();
    server.put(
        "/targets/tested",
        "{\"type\": \"http\", \"url\": \"http://127.0.0.1:%s/hook\"}"
            .formatted(endpoint.getAddress().getPort()));
    try (var console = at("targets")) {
      console.clicks("tr[data-key=tested] button").sees(".ask", "Send a test to tested?");
      console.isAccessible().clicksText("Send the test");
      console.sees("tr[data-key=tested] .target-result", "works").sees("HTTP 200");
      assertThat(asked).hasValue(1);
      console.isAccessible();
    } finally {
      endpoint.stop(0);
    }
  }

  @Test
  void a_test_that_fails_says_why_and_a_payload_that_is_no_json_stays_in_the_dialog() {
    try (var console = at("targets")) {
      console.clicks("tr[data-key=billing] button").types("#ask-payload", "nonsense");
      console.clicksText("Send the test").sees(".ask .field-error", "this is no JSON");
      console.evaluate("document.querySelector('#ask-payload').value = '{}'");
      console.clicksText("Send the test");
      console.sees("tr[data-key=billing] .target-result", "billing.invalid");
    }
  }

  @Test
  void a_viewer_sees_targets_and_no_button() {
    try (var console =
        new Console(browser, server.url()).signedIn(server.token("viewer"), "targets")) {
      console.sees("tr[data-key=billing]", "billing");
      assertThat(console.evaluate("document.querySelectorAll('td button').length").asInt())
          .isZero();
    }
  }
}
