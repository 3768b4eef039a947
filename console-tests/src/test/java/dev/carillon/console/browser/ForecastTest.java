package dev.carillon.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithConsole.class)
class ForecastTest {
  private static final int HERD = 14;

  private final RealServer server;
  private final Chromium browser;

  ForecastTest(RealServer server, Chromium browser) {
    this.server = server;
    this.browser = browser;
  }

  private Console at(String view) {
    return new Console(browser, server.url()).signedIn(RealServer.ADMIN, view);
  }

  /* All at the same minute of every hour. */
  private void herd(String name, int minute) {
    for (int i = 0; i < HERD; i++) {
      server.put(
          "/schedules/%s-%s".formatted(name, i),
          "{\"target\": \"noop\", \"timing\": {\"cron\": \"%s * * * *\"}}".formatted(minute));
    }
  }

  private void retire(String name) {
    for (int i = 0; i < HERD; i++) {
      server.delete("/schedules/%s-%s".formatted(name, i));
    }
  }

  @Test
  void the_worst_minutes_are_named_with_who_is_in_them() {
    herd("nightly", 23);
    try (var console = at("forecast")) {
      console.sees("the next 24 hours").sees(".worst", "nightly-").sees("busiest minute");
      console.until("document.querySelectorAll('.heat svg rect').length >= 24 * 60");
      console
          .clicks(".worst tbody tr td a")
          .sees(".minute", "Who fires at")
          .sees(".minute", "nightly-13");
      console.until("location.search.includes('minute=')").clicksText("Close").seesNo(".minute");
      console.clicksText("Week").isAt("range=week").sees("the next 7 days");
    }
    retire("nightly");
  }

  @Test
  void all_of_a_minute_are_spread_with_one_click_and_that_can_be_taken_back() {
    herd("spread", 41);
    try (var console = at("forecast")) {
      console.sees(".worst", "spread-").clicksText("With H…");
      console
          .sees("dialog", "Spread 14 schedules with H?")
          .sees("dialog", "41 * * * * → H * * * *")
          .isAccessible();
      console.clicksText("Spread 14").sees(".toasts", "14 schedules spread.");
      assertThat(server.get("/schedules/spread-3").at("/timing/cron").asText())
          .isEqualTo("H * * * *");
      console.clicksText("Undo").sees(".toasts", "Taken back.");
      assertThat(server.get("/schedules/spread-3").at("/timing/cron").asText())
          .isEqualTo("41 * * * *");
      console.sees(".worst tbody tr", "spread-0, spread-1, spread-10").seesNo("dialog[open]");
      console.clicksText("With jitter…").sees("dialog", "jitter PT10M");
      console.clicks("dialog[open] [type=submit]").sees(".toasts", "schedules spread.");
      assertThat(server.get("/schedules/spread-13").path("jitter").asText()).isEqualTo("PT10M");
      console.clicksText("Undo").sees(".toasts", "Taken back.");
    }
    retire("spread");
  }

  @Test
  void what_cannot_be_spread_says_so() {
    try (var console = at("forecast")) {
      assertThat(
              console
                  .evaluate(
                      "import(document.querySelector('script[type=module]').src.replace('app/main.js', 'views/forecast/spread.js')).then(m => [m.hashed('0 2 * * *'), m.hashed('30 5 2 * * *'), String(m.hashed('*/5 * * * *')), String(m.hashed('@daily'))].join('|'))")
                  .asText())
          .isEqualTo("H 2 * * *|30 H 2 * * *|undefined|undefined");
      console.sees(".worst", "fx-rates");
    }
  }

  @Test
  void a_viewer_sees_no_action_and_names_are_shown_as_text() {
    herd("<img_src=x_onerror=alert(1)>".replace("<", "%3C").replace(">", "%3E"), 52);
    try (var console =
        new Console(browser, server.url()).signedIn(server.token("viewer"), "forecast")) {
      console.sees(".worst", "<img_src=x_onerror=alert(1)>-");
      assertThat(
              console.evaluate("document.querySelectorAll('forecast-view button').length").asInt())
          .isZero();
      assertThat(console.evaluate("document.querySelectorAll('main img').length").asInt()).isZero();
    }
    retire("<img_src=x_onerror=alert(1)>".replace("<", "%3C").replace(">", "%3E"));
  }

  @Test
  void it_is_accessible_in_both_themes_and_fits_every_width() {
    herd("looks", 7);
    try (var console = at("forecast")) {
      for (String theme : new String[] {"light", "dark"}) {
        console
            .prefers(theme)
            .isWide(1280)
            .opens("/console/forecast")
            .sees(".worst", "looks-")
            .isAccessible();
        console.isPhotographed(Path.of("target/screenshots/forecast-" + theme + ".png"));
        console.isWide(390).fitsItsWidth().isWide(1280).fitsItsWidth();
        console.opens("/console/forecast?range=week").sees("the next 7 days").isAccessible();
      }
      console.isPhotographed(Path.of("target/screenshots/forecast-week.png"));
      console
          .isWide(390)
          .opens("/console/forecast")
          .sees(".worst", "looks-")
          .isPhotographed(Path.of("target/screenshots/forecast-390.png"));
    }
    retire("looks");
  }
}
