package dev.carillon.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

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

  /* Each view, with a text that is there once it is loaded. */
  private static final Map<String, String> VIEWS =
      Map.of(
          "targets", "billing",
          "audit", "signed in",
          "tokens", "valid",
          "workflows", "onboarding",
          "workflow?id=onboarding", "in force",
          "nodes", "answers you");

  @Test
  void they_are_accessible_in_both_themes() {
    try (var console = at("nodes")) {
      for (String theme : List.of("light", "dark")) {
        console.prefers(theme);
        VIEWS.forEach(
            (view, text) -> {
              console.opens("/console/" + view).sees("main", text).sees(".live-state", "live");
              console.sees(".version", "Carillon").isAccessible();
              console.isPhotographed(picture(view, theme));
            });
      }
    }
  }

  @Test
  void on_small_and_large_screens_nothing_overflows() {
    try (var console = at("nodes")) {
      VIEWS.forEach(
          (view, text) -> {
            for (int width : new int[] {390, 1280}) {
              console.isWide(width).opens("/console/" + view).sees("main", text).fitsItsWidth();
              console.isPhotographed(picture(view, String.valueOf(width)));
            }
          });
    }
  }

  private static Path picture(String view, String how) {
    return Path.of("target/screenshots/%s-%s.png".formatted(view.split("\\?", -1)[0], how));
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
  void the_name_of_a_node_is_shown_as_text(@TempDir Path folder) {
    try (var other = new RealServer(folder, 0, Seed.HOSTILE);
        var console = new Console(browser, other.url()).signedIn(RealServer.ADMIN, "nodes")) {
      console.sees("main", Seed.HOSTILE).isTitled("Nodes · Carillon");
      assertThat(console.evaluate("document.querySelectorAll('img').length").asInt()).isZero();
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
