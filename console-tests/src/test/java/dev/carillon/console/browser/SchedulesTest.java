package dev.carillon.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithConsole.class)
class SchedulesTest {
  private final RealServer server;
  private final Chromium browser;

  SchedulesTest(RealServer server, Chromium browser) {
    this.server = server;
    this.browser = browser;
  }

  private Console at(String view) {
    return new Console(browser, server.url()).signedIn(RealServer.ADMIN, view);
  }

  private void define(String key, String tag) {
    server.put(
        "/schedules/" + key,
        "{\"target\": \"noop\", \"timing\": {\"cron\": \"0 5 1 1 *\"}, \"tags\": [\"%s\"]}"
            .formatted(tag));
  }

  private String status(String key) {
    return server.get("/schedules/" + key).path("status").asText();
  }

  @Test
  void a_schedule_is_told_in_words_with_its_runs_and_its_next_slot() {
    try (var console = at("schedules?q=invoice")) {
      console.sees("tr[data-key=invoice-close]", "At 14:00 on weekdays");
      console.sees("tr[data-key=invoice-close]", "0 14 * * 1-5 · Europe/Rome");
      console.sees("tr[data-key=invoice-close] td[data-column=status]", "failing, 3 in a row");
      console.sees("tr[data-key=invoice-close] td[data-column=last]", "failed");
      console.sees("tr[data-key=invoice-close] td[data-column=next]", "yours");
      console.until("document.querySelectorAll('.run-strip g').length === 3");
    }
  }

  @Test
  void search_filters_and_order_are_in_the_address() {
    try (var console = at("schedules")) {
      console.types("#schedules-q", "invoice").isAt("/console/schedules?q=invoice");
      console.seesNo("tr[data-key=fx-rates]").sees("tr[data-key=invoice-close]", "v1");
      console.opens("/console/schedules?q=x").clicks("[data-filter=status]");
      console.chooses("#filter-status", "paused").isAt("/console/schedules?q=x&status=paused");
      console.sees("audit is on until the first").seesNo("tr[data-key=fx-rates]");
      console.goesBack().sees("tr[data-key=fx-rates]", "fx-rates");
      console.clicksText("next run").isAt("/console/schedules?q=x&sort=next");
      console.clicks("tr[data-key=fx-rates] .tag").isAt("?q=x&sort=next&tag=finance");
      console.seesNo("tr[data-key=search-index]");
    }
  }

  @Test
  void what_is_typed_stays_as_it_is_and_the_back_button_takes_it_away() {
    try (var console = at("schedules?status=active")) {
      console.clicks("tr[data-key=fx-rates] .tag").isAt("?status=active&tag=finance");
      console.types("#schedules-q", "exchange ").isAt("&tag=finance&q=exchange");
      console.types("#schedules-q", "rates").isAt("&tag=finance&q=exchange+rates");
      console.sees("tr[data-key=fx-rates]", "fx-rates").seesNo("tr[data-key=invoice-close]");
      console.goesBack().isAt("?status=active").sees("tr[data-key=search-index]", "v1");
      console.until("document.querySelector('#schedules-q').value === ''");
    }
  }

  @Test
  void the_reason_for_changing_the_chosen_is_kept_in_the_audit() {
    define("kept-1", "kept");
    try (var console = at("schedules?tag=kept")) {
      console.clicks("tbody input").clicksText("Retire…").sees("dialog .hits", "kept-1");
      console.types("#ask-reason", "the moon is full").presses("Enter");
      console.sees(".toasts", "1 schedule retired.");
      console.opens("/console/audit").sees("the moon is full");
    }
  }

  @Test
  void a_pause_that_is_taken_back_leaves_what_was_paused_before() {
    define("before-1", "before");
    define("before-2", "before");
    server.post("/schedules/before-2/pause", "{\"reason\": \"long ago\"}");
    try (var console = at("schedules?tag=before")) {
      console.sees("long ago").clicks("thead input").clicksText("Pause…");
      console.types("#ask-reason", "deploy").presses("Enter");
      console.sees(".toasts", "1 schedule paused; 1 was paused already.");
      console.clicksText("Undo").sees(".toasts", "Resumed again.");
      console.sees("tr[data-key=before-1]", "active").sees("tr[data-key=before-2]", "long ago");
    }
  }

  @Test
  void an_empty_search_offers_the_way_back() {
    try (var console = at("schedules?q=nothing-is-called-so")) {
      console.sees("No schedule is like that.").clicksText("Show all schedules");
      console.isAt("/console/schedules").sees("fx-rates");
    }
  }

  @Test
  void chosen_schedules_are_paused_with_a_reason_and_that_can_be_taken_back() {
    define("group-1", "group");
    define("group-2", "group");
    try (var console = at("schedules?tag=group")) {
      console.clicks("thead input").sees("2 schedules chosen").clicksText("Pause…");
      console.sees("dialog .hits", "group-1").sees("dialog .hits", "group-2");
      console.types("#ask-reason", "deploy").presses("Enter");
      console.sees(".toasts", "2 schedules paused.").sees("td[data-column=status]", "deploy");
      assertThat(status("group-1")).isEqualTo("paused");
      console.clicksText("Undo").sees(".toasts", "Resumed again.");
      assertThat(status("group-2")).isEqualTo("active");
    }
  }

  @Test
  void all_that_match_are_changed_over_all_pages_after_a_preview() {
    for (int i = 0; i < 53; i++) {
      define("many-%02d".formatted(i), "many");
    }
    try (var console = at("schedules?tag=many")) {
      console.sees("50 of more").clicks("thead input").sees("All that match, on every page");
      console.clicks(".many-all button").sees("Pause 53 schedules?").sees("and 43 more");
      console.types("#ask-reason", "all of them").presses("Enter");
      console.sees(".toasts", "53 schedules paused.");
      assertThat(status("many-52")).isEqualTo("paused");
      console.clicksText("Next page").sees("tr[data-key=many-52]", "many-52").sees("First page");
    }
  }

  @Test
  void chosen_schedules_run_and_retire() {
    define("goes-1", "goes");
    try (var console = at("schedules?tag=goes")) {
      console.clicks("tbody input").clicksText("Run…").types("#ask-reason", "now").presses("Enter");
      console.sees(".toasts", "1 schedule asked to run.");
      console.sees("tr[data-key=goes-1] td[data-column=last]", "succeeded");
      console.clicks("tbody input").clicksText("Retire…").types("#ask-reason", "done");
      console.presses("Enter").sees("No schedule is like that.");
      assertThat(status("goes-1")).isEqualTo("retired");
    }
  }

  @Test
  void what_the_server_refuses_is_said_and_nothing_is_lost() {
    define("refused-1", "refused");
    try (var console = at("schedules?tag=refused").expectingRefusal(422)) {
      console.clicks("tbody input").clicksText("Pause…").types("#ask-reason", "x");
      console.evaluate(
          "(() => { document.querySelector('#ask-until').value = '2020-01-01T00:00'; })()");
      console
          .clicks("dialog[open] button[type=submit]")
          .sees("dialog .field-error", "must end in the future");
      assertThat(status("refused-1")).isEqualTo("active");
    }
  }

  @Test
  void a_viewer_sees_no_action() {
    try (var console =
        new Console(browser, server.url()).signedIn(server.token("viewer"), "schedules")) {
      console.sees("fx-rates").seesNo("input[type=checkbox]").seesNo("a[href*=editor]");
    }
  }

  @Test
  void an_operator_cannot_retire() {
    try (var console =
        new Console(browser, server.url()).signedIn(server.token("operator"), "schedules")) {
      console.clicks("tbody input").sees("1 schedule chosen").seesNoText("Retire…");
    }
  }

  @Test
  void markup_is_shown_as_text() {
    try (var console = at("schedules?q=onerror")) {
      console.sees("<img_src=x_onerror=").isTitled("Schedules · Carillon");
      console.clicks("tbody input").clicksText("Pause…").sees("dialog .hits", "<img_src");
      assertThat(
              console.evaluate("document.querySelectorAll('main img, dialog img').length").asInt())
          .isZero();
    }
  }

  @Test
  void schedules_are_opened_and_sorted_by_keys_alone() {
    try (var console = at("schedules?tag=finance")) {
      console.sees("fx-rates").evaluate("document.querySelector('data-table').focusRows()");
      console.presses("ArrowDown", "ArrowUp", "ArrowDown");
      console.until("document.activeElement.dataset.key === 'invoice-close'");
      console.presses("Enter").isAt("/console/schedule?key=invoice-close");
    }
  }

  @Test
  void a_new_server_offers_schedules_to_try_and_makes_them() throws Exception {
    try (var fresh = new RealServer(Files.createTempDirectory("fresh-server"), 0);
        var console = new Console(browser, fresh.url()).signedIn(RealServer.ADMIN, "schedules")) {
      console.sees("Nothing is scheduled yet.").isAccessible();
      console.isPhotographed(Path.of("target/screenshots/schedules-new.png"));
      console.clicks("[data-try=hello-every-minute]").sees(".toasts", "Every minute");
      console.isAt("/console/schedule?key=hello-every-minute");
      assertThat(fresh.get("/schedules/hello-every-minute").path("target").asText())
          .isEqualTo("log");
      console.clicksText("Undo").sees(".schedule-key", "retired").opens("/console/schedules");
      console.clicks("[data-try=weekday-morning]").sees("dl.facts", "weekdays");
      fresh.post("/schedules/bulk", "{\"action\":\"delete\",\"reason\":\"x\",\"all\":true}");
      console.opens("/console/schedules").clicks("[data-try=once-in-two-minutes]");
      console.isAt("/console/schedule?key=once-in-two-minutes").sees("dl.facts", "Once at");
    }
  }

  @Test
  void it_is_accessible_in_both_themes_and_nothing_overflows() {
    try (var console = at("schedules")) {
      for (String theme : new String[] {"light", "dark"}) {
        console.prefers(theme).opens("/console/schedules").sees("fx-rates").isAccessible();
        console.isPhotographed(Path.of("target/screenshots/schedules-" + theme + ".png"));
      }
      for (int width : new int[] {390, 1280}) {
        console.isWide(width).sees("fx-rates").fitsItsWidth();
        console.isPhotographed(Path.of("target/screenshots/schedules-" + width + ".png"));
      }
    }
  }
}
