package dev.carillon.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithConsole.class)
class RunsTest {
  private final RealServer server;
  private final Chromium browser;

  RunsTest(RealServer server, Chromium browser) {
    this.server = server;
    this.browser = browser;
  }

  private Console at(String view) {
    return new Console(browser, server.url()).signedIn(RealServer.ADMIN, view);
  }

  @Test
  void filters_are_in_the_address_and_the_back_button_takes_them_away() {
    try (var console = at("runs")) {
      console.sees("succeeded");
      console.clicks("[data-filter=state]").chooses("#filter-state", "failed");
      console.isAt("/console/runs?state=failed").sees("status: failed").seesNo("td .mark.ok");
      console
          .clicks("[data-filter=schedule]")
          .types("#filter-schedule", "invoice-close")
          .presses("Enter");
      console.isAt("/console/runs?state=failed&schedule=invoice-close").sees("invoice-close");
      console.goesBack().isAt("/console/runs?state=failed").sees("status: failed");
      console.goesBack().isAt("/console/runs").sees("succeeded");
    }
  }

  @Test
  void what_started_finished_and_took_long_is_found() {
    try (var console = at("runs?target=noop").expectingRefusal(400)) {
      console.sees("succeeded").clicks("[data-filter=more]").clicks("[data-filter=shortest]");
      console.types("#filter-shortest", "1h").presses("Enter").sees("No run is like that.");
      console.isAt("/console/runs?target=noop&shortest=1h").sees("took at least: 1h");
      console.goesTo("runs?target=noop&longest=1h&finishedFrom=2020-01-01T00:00:00Z");
      console.sees("succeeded").goesTo("runs?target=noop&startedTo=2020-01-01T00:00:00Z");
      console.sees("No run is like that.").goesTo("runs?longest=long");
      console.sees("'long' is no duration; write it as 30s, 15m, 1h30m, 3d or PT15M");
    }
  }

  @Test
  void a_failed_run_says_why() {
    try (var console = at("runs?schedule=invoice-close")) {
      console.sees("td[data-column=reason]", "billing.invalid");
    }
  }

  @Test
  void a_run_appears_by_itself_and_not_while_live_updates_are_paused() {
    try (var console = at("runs?correlation=appears")) {
      console.sees("No run is like that.").sees(".live-state", "live");
      server.post("/runs", "{\"target\": \"noop\", \"correlation\": \"appears\"}");
      console.sees("td[data-column=state]", "succeeded");
    }
    try (var console = at("runs?correlation=later")) {
      console.sees("No run is like that.").sees(".live-state", "live");
      console.clicksText("Pause live").sees(".live-state", "paused");
      String id =
          server
              .post("/runs", "{\"target\": \"noop\", \"correlation\": \"later\"}")
              .path("id")
              .asText();
      server.once("/runs/" + id, run -> run.path("state").asText().equals("succeeded"));
      console.sees("No run is like that.");
      console.clicksText("Resume live").sees("td[data-column=state]", "succeeded");
    }
  }

  @Test
  void a_waiting_run_is_canceled_with_a_reason() {
    server.post("/runs", "{\"target\": \"recon\", \"correlation\": \"to-cancel\"}");
    try (var console = at("runs?correlation=to-cancel")) {
      console.clicksText("Cancel…").types("#ask-reason", "not needed").presses("Enter");
      console
          .sees(".toasts", "Canceled.")
          .sees("td[data-column=state]", "canceled")
          .sees("not needed");
    }
  }

  @Test
  void a_failed_run_runs_again_and_that_can_be_taken_back() {
    try (var console = at("runs?q=order-8")) {
      String id =
          server
              .post("/runs", "{\"target\": \"recon\", \"correlation\": \"order-8\"}")
              .path("id")
              .asText();
      server.post("/runs/" + id + "/cancel", "{\"reason\": \"first\"}");
      console.clicksText("Run again").sees(".toasts", "recon runs again.").clicksText("Undo");
      console.sees(".toasts", "Taken back.").sees("taken back in the console");
    }
  }

  @Test
  void a_viewer_sees_no_action() {
    try (var console =
        new Console(browser, server.url()).signedIn(server.token("viewer"), "runs")) {
      console.sees("invoice-close");
      assertThat(console.evaluate("document.querySelectorAll('td button').length").asInt())
          .isZero();
    }
  }

  @Test
  void markup_in_names_and_reasons_is_shown_as_text() {
    try (var console = at("runs?correlation=hostile")) {
      console.sees(Seed.HOSTILE).isTitled("Runs · Carillon");
      assertThat(console.evaluate("document.querySelectorAll('main img').length").asInt()).isZero();
      console.presses("/").types(".palette input", "onerror").sees(".palette", "onerror");
      console.isTitled("Runs · Carillon");
    }
  }

  @Test
  void rows_are_moved_through_by_arrow_keys() {
    try (var console = at("runs")) {
      console.sees("fx-rates").evaluate("document.querySelector('data-table').focusRows()");
      console.presses("ArrowDown", "ArrowDown");
      console.until("document.activeElement === document.querySelectorAll('tbody tr')[2]");
      console.presses("Enter").until("location.search !== ''");
    }
  }
}
