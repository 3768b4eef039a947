package dev.carillon.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithConsole.class)
class ShellTest {
  private static final String BACKGROUND = "getComputedStyle(document.body).backgroundColor";

  private final RealServer server;
  private final Chromium browser;

  ShellTest(RealServer server, Chromium browser) {
    this.server = server;
    this.browser = browser;
  }

  private Console at(String view) {
    return new Console(browser, server.url()).signedIn(RealServer.ADMIN, view);
  }

  @Test
  void the_theme_is_the_systems_until_one_is_chosen_which_stays() {
    try (var console = at("runs")) {
      console.prefers("dark").until(BACKGROUND + " === 'rgb(20, 20, 22)'");
      console.clicksText("Theme: system").until(BACKGROUND + " === 'rgb(250, 249, 247)'");
      console
          .opens("/console/nodes")
          .sees("Theme: light")
          .until(BACKGROUND + " === 'rgb(250, 249, 247)'");
    }
  }

  @Test
  void the_palette_finds_views_schedules_and_actions() {
    try (var console = at("runs")) {
      console
          .sees("fx-rates")
          .presses("/")
          .types(".palette input", "nod")
          .sees(".palette", "Nodes")
          .presses("Enter");
      console.isAt("/console/nodes").sees("answers you").pressesCtrl("k");
      console
          .types(".palette input", "invoice")
          .sees(".palette li", "invoice-close")
          .isAccessible();
      console.isPhotographed(Path.of("target/screenshots/palette.png")).presses("Enter");
      console.until("location.search !== ''").sees(".schedule-key", "invoice-close");
      console
          .presses("/")
          .types(".palette input", "theme")
          .sees(".palette", "Change the theme")
          .presses("Enter");
      console.sees("Theme: light");
      console.evaluate("window.fetch = () => new Promise(() => {})");
      console.presses("/").types(".palette input", "unheard-of").sees(".palette", "Looking …");
    }
  }

  @Test
  void keys_open_views_and_are_listed() {
    try (var console = at("runs")) {
      console.sees("fx-rates").presses("g", "n").isAt("/console/nodes").presses("?");
      console.sees(".key-list", "Go to Runs").isAccessible().presses("Escape").seesNo(".key-list");
      console.presses("g", "r").isAt("/console/runs");
    }
  }

  @Test
  void an_unknown_view_says_so_and_leads_on() {
    try (var console = at("nothing-here")) {
      console.sees("There is no such view.").clicksText("To the first view").isAt("/console/now");
    }
  }

  @Test
  void the_whole_console_is_small() {
    try (var console = at("runs")) {
      console.sees("fx-rates");
      int bytes =
          console
              .evaluate(
                  "performance.getEntriesByType('resource').filter(e => e.name.includes('/console/')).reduce((all, e) => all + e.encodedBodySize, 0)")
              .asInt();
      assertThat(bytes).as("bytes as they are sent").isBetween(10_000, 150 * 1024);
    }
  }
}
