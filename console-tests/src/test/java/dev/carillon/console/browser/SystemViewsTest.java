package dev.carillon.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithConsole.class)
class SystemViewsTest {
  private final RealServer server;
  private final Chromium browser;

  SystemViewsTest(RealServer server, Chromium browser) {
    this.server = server;
    this.browser = browser;
  }

  private Console at(String view) {
    return new Console(browser, server.url()).signedIn(RealServer.ADMIN, view);
  }

  @Test
  void markup_is_shown_as_text_wherever_somebody_could_have_put_it() {
    String encoded = URLEncoder.encode(Seed.HOSTILE, StandardCharsets.UTF_8);
    String named =
        server
            .post("/tokens", "{\"name\": \"%s\", \"roles\": [\"admin\"]}".formatted(Seed.HOSTILE))
            .path("token")
            .asText();
    try (var console = new Console(browser, server.url()).signedIn(named, "nodes")) {
      console.sees(".who", Seed.HOSTILE);
      for (String view :
          List.of(
              "targets",
              "tokens",
              "workflows",
              "workflow?id=" + encoded,
              "audit?actor=" + encoded,
              "runs?correlation=hostile",
              "runs?schedule=" + encoded,
              "runs?q=" + encoded,
              "runs?target=" + encoded,
              "audit?schedule=" + encoded)) {
        console.opens("/console/" + view).sees("main", Seed.HOSTILE).seesNo(".skeleton");
        assertThat(console.evaluate("document.querySelectorAll('img').length").asInt())
            .as(view)
            .isZero();
        assertThat(console.evaluate("document.title").asText()).isNotEqualTo("hacked");
      }
    }
  }

  @Test
  void the_navigation_counts_and_the_foot_tells_the_version() {
    try (var console = at("nodes")) {
      console.sees("nav a[href$='/nodes'] .n", "1").sees("nav .version", "Carillon ");
      server.post("/runs", "{\"target\": \"recon\", \"correlation\": \"counted\"}");
      console.sees("waiting").clicksText("Runs").isAt("/console/runs");
    }
  }

  @Test
  void a_node_tells_its_capacity_and_how_right_its_clock_is() {
    try (var console = at("nodes")) {
      var node = server.get("/nodes").at("/items/0");
      assertThat(node.at("/concurrency").asInt()).isPositive();
      console
          .sees("td[data-column=capacity]", node.at("/concurrency").asText())
          .sees("td[data-column=zones]", node.at("/timeZones").asText())
          .sees("td[data-column=clock]", "right");
    }
  }

  @Test
  void no_two_keys_lead_to_different_views() {
    try (var console = at("nodes")) {
      assertThat(
              console
                  .evaluate(
                      "import(document.querySelector('script[src]').src.replace('app/main.js', 'views/list.js')).then(m => { const keys = m.views.map(v => v.key).filter(Boolean); return keys.length - new Set(keys).size; })")
                  .asInt())
          .isZero();
      console.presses("?").sees(".key-list", "Go to Audit").sees(".key-list", "Go to Tokens");
      console.sees(".key-list", "Close what is open").fitsItsWidth();
    }
  }
}
