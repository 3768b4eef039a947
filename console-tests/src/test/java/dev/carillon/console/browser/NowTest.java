package dev.carillon.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithConsole.class)
class NowTest {
  private final RealServer server;
  private final Chromium browser;

  NowTest(RealServer server, Chromium browser) {
    this.server = server;
    this.browser = browser;
  }

  private Console at(String view) {
    return new Console(browser, server.url()).signedIn(RealServer.ADMIN, view);
  }

  @Test
  void it_is_the_first_view_and_says_what_needs_you() {
    try (var console = at("")) {
      console.isAt("/console/now").isTitled("Now · Carillon");
      console.sees(".verdict.bad", "needs you.");
      console.sees(".verdict", "invoice-close failed 3 times in a row");
      console.clicksText("See why").isAt("/console/schedule?key=invoice-close");
      console.sees(".schedule-key", "failing, 3 in a row");
    }
  }

  @Test
  void the_verdict_says_when_what_fails_pauses_by_itself_and_a_schedule_is_begun_there() {
    server.patch("/schedules/invoice-close", "{\"pauseAfterFailures\": 5}");
    try (var console = at("now")) {
      console.sees(".verdict", "failed 3 times in a row and pauses after 5.");
      console.clicksText("New schedule").isAt("/console/editor");
    }
  }

  @Test
  void numbers_lead_to_what_they_count() {
    JsonNode runs = server.get("/stats").get("runs");
    int failed = runs.get("failed").asInt();
    int canceled = runs.get("canceled").asInt();
    assertThat(failed).isBetween(3, 50);
    try (var console = at("now")) {
      console.sees(".kpi", "succeeded, 24 h").sees(".kpi", "late, p99").sees(".kpi", "running");
      console.clicksText(failed + " failed").until("location.search.includes('state=failed')");
      console.until("document.querySelectorAll('tbody tr').length === " + failed);
      console.goesBack().clicksText(canceled + " canceled");
      console.sees("td[data-column=state]", "canceled");
    }
  }

  @Test
  void slots_without_a_run_are_counted_with_their_reason() {
    server.put("/schedules/ticks", "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1S\"}}");
    server.post("/schedules/ticks/pause", "{\"reason\": \"quiet, please\"}");
    String resumable = Instant.now().plusSeconds(2).toString();
    Waiting.until(
        "a slot has passed",
        () -> Optional.of(resumable).filter(at -> Instant.now().isAfter(Instant.parse(at))));
    server.post("/schedules/ticks/resume", "");
    server.once("/activity", activity -> activity.at("/dropped/paused").asLong() > 0);
    server.delete("/schedules/ticks");
    try (var console = at("now")) {
      console.sees(".kpi", "slots did not run, 24 h").sees(".kpi", "while paused");
    }
  }

  @Test
  void failures_are_grouped_by_their_cause() {
    try (var console = at("now")) {
      console.sees(".causes", "invoice-close").sees(".causes", "billing.invalid");
      console.until(
          "[...document.querySelectorAll('.causes li')].filter(e => e.innerText.includes('invoice-close')).length === 1");
      console.clicks(".causes a[href*='state=failed'][href*='schedule=invoice-close']");
      console.isAt("/console/runs?state=failed&schedule=invoice-close");
    }
  }

  @Test
  void the_hour_around_now_has_what_was_and_what_comes() {
    try (var console = at("now")) {
      console.sees("[aria-label='The hour around now']", "as a table");
      console.until(
          "document.querySelectorAll('[aria-label=\"The hour around now\"] rect.fill-ok').length > 0");
      console.until(
          "document.querySelectorAll('[aria-label=\"The hour around now\"] rect.fill-wait').length > 5");
    }
  }

  @Test
  void a_new_run_changes_the_numbers_by_itself() {
    try (var console = at("now")) {
      console.sees(".live-state", "live").sees(".kpi", "running");
      String before = console.evaluate("document.querySelector('.kpi span a').innerText").asText();
      server.post("/schedules/month-end/run", "{}");
      console.until("document.querySelector('.kpi span a').innerText !== '%s'".formatted(before));
    }
  }

  @Test
  void a_new_server_offers_schedules_to_try_and_then_needs_nobody() throws Exception {
    try (var fresh = new RealServer(Files.createTempDirectory("fresh-server"), 0);
        var console = new Console(browser, fresh.url()).signedIn(RealServer.ADMIN, "now")) {
      console.sees("Nothing is scheduled yet.").clicks("[data-try=hello-every-minute]");
      console.isAt("/console/schedule?key=hello-every-minute").sees(".fires", "in ");
      console.sees("[aria-label='A year']", "those to come are shown until");
      fresh.once("/activity", activity -> activity.at("/schedules/active").asInt() == 1);
      console.goesBack().sees(".verdict", "Nothing needs you.");
      assertThat(fresh.get("/schedules/hello-every-minute").path("status").asText())
          .isEqualTo("active");
    }
  }

  @Test
  void a_viewer_sees_it_and_can_do_nothing() {
    try (var console = new Console(browser, server.url()).signedIn(server.token("viewer"), "now")) {
      console.sees(".verdict", "needs you.").seesNo("now-view button");
    }
  }

  @Test
  void it_is_accessible_in_both_themes_and_nothing_overflows() {
    try (var console = at("now")) {
      for (String theme : new String[] {"light", "dark"}) {
        console.prefers(theme).opens("/console/now").sees(".verdict", "needs you.").isAccessible();
        console.isPhotographed(Path.of("target/screenshots/now-" + theme + ".png"));
      }
      for (int width : new int[] {390, 1280}) {
        console.isWide(width).sees(".verdict", "needs you.").fitsItsWidth();
        console.isPhotographed(Path.of("target/screenshots/now-" + width + ".png"));
      }
    }
  }
}
