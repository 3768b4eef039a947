package dev.carillon.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the views of schedules do when names are odd, clocks are wrong, or the server goes away. */
@ExtendWith(WithConsole.class)
class TroubleTest {
  /** Everything that means something in a path, a query, a script or a shell. */
  private static final String ODD = "häuser ☃/%41%2F?a=1&b#c \"x\" 'y' \\z ;..";

  private final RealServer server;
  private final Chromium browser;

  TroubleTest(RealServer server, Chromium browser) {
    this.server = server;
    this.browser = browser;
  }

  private Console at(String view) {
    return new Console(browser, server.url()).signedIn(RealServer.ADMIN, view);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private void define(String key) {
    server.put(
        "/schedules/" + key,
        "{\"target\": \"noop\", \"timing\": {\"cron\": \"0 5 * * *\", \"zone\": \"Europe/Rome\"}}");
  }

  @Test
  void a_key_of_odd_characters_goes_through_every_view() {
    try (var console = at("editor")) {
      console.types("#edit-key", ODD).types("#edit-target", "noop");
      console.clicksText("Save version 1").sees(".schedule-key", ODD);
      console.clicksText("Run now…").clicks("dialog[open] [type=submit]");
      console.sees("section[aria-label=Runs]", "succeeded").sees(".audit-lines", "created");
      console.clicks(".fires li:nth-child(2) a").sees(".why", "Will it run at");
      console.clicksText("Pause…").types("#ask-reason", "odd").presses("Enter");
      console.sees("Paused: odd").clicksText("All runs").sees("tbody", ODD);
      console.opens("/console/schedules?q=" + encoded(ODD)).sees("tbody", ODD);
      console.clicks("tbody input").clicksText("Resume…").types("#ask-reason", "even");
      console.presses("Enter").sees(".toasts", "1 schedule resumed.");
      console.opens("/console/timeline?schedule=" + encoded(ODD)).sees(".tl-key", ODD);
      console.opens("/console/schedule?key=" + encoded(ODD)).clicksText("Edit");
      console.sees("h1", ODD).sees("version 1, unchanged");
      console.pressesCtrl("k").types(".palette input", "häuser").sees(".palette li", ODD);
    }
    assertThat(server.get("/schedules/" + encoded(ODD)).path("status").asText())
        .isEqualTo("active");
  }

  @Test
  void an_address_that_says_too_little_or_nonsense_has_an_answer() {
    try (var console = at("run").expectingRefusal(404)) {
      console.sees("There is no such run.").goesTo("workflow").sees("This could not be loaded.");
      console.goesTo("calendar").sees("There is no such calendar.");
      server.put("/calendars/plain", "{\"zone\": \"Europe/Rome\"}");
      String now = String.valueOf(LocalDate.now(ZoneId.of("Europe/Rome")).getYear());
      for (String when : new String[] {"year=nonsense", "year=-5", "month=2026-13", "month=x"}) {
        console.goesTo("calendar?name=plain&" + when).sees(".calendar-pages", now);
        console.seesNo(".skeleton").seesNoText("NaN").seesNoText("undefined");
      }
    }
  }

  @Test
  void a_schedule_that_is_retired_while_its_page_is_open_says_so_and_offers_no_action() {
    define("retired-under-way");
    try (var console = at("schedule?key=retired-under-way").expectingRefusal(409)) {
      console.sees(".schedule-key", "active").sees(".live-state", "live").clicksText("Run now…");
      server.delete("/schedules/retired-under-way");
      console.clicks("dialog[open] [type=submit]").sees("dialog .field-error", "retired");
      console.presses("Escape").sees(".schedule-key", "retired").seesNo(".deeds button");
      console.sees("Bring it back…");
    }
  }

  @Test
  void what_became_of_the_chosen_meanwhile_is_not_changed_blindly() {
    define("meanwhile-1");
    define("meanwhile-2");
    try (var console = at("schedules?q=meanwhile").expectingRefusal(409)) {
      console.clicks("thead input").clicksText("Pause…").sees("dialog", "Pause 2 schedules?");
      server.delete("/schedules/meanwhile-2");
      console.types("#ask-reason", "x").presses("Enter");
      console.sees("dialog .field-error", "2 were expected, but 1 match by now");
    }
    assertThat(server.get("/schedules/meanwhile-1").path("status").asText()).isEqualTo("active");
  }

  @Test
  void a_server_that_restarts_is_told_and_the_page_goes_on_by_itself() throws Exception {
    try (var other = new RealServer(Files.createTempDirectory("restarting-server"), 0);
        var console = new Console(browser, other.url()).expectingComplaints("net::ERR_", "503")) {
      other.put(
          "/schedules/survives", "{\"target\": \"noop\", \"timing\": {\"cron\": \"0 5 * * *\"}}");
      console.signedIn(RealServer.ADMIN, "schedule?key=survives").sees(".live-state", "live");
      console.sees(".schedule-key", "active").sees(".versions", "Version 1");
      other.restartsAfter(
          () -> {
            console.sees(".live-state", "behind").clicksText("Run now…");
            console.clicks("dialog[open] [type=submit]");
            console.sees("dialog .field-error", "The server does not answer.");
            console.presses("Escape");
          });
      console.sees(".live-state", "live");
      other.post("/schedules/survives/pause", "{\"reason\": \"after all\"}");
      console.sees(".schedule-key", "paused").sees("Paused: after all");
    }
  }

  @Test
  void what_is_open_stays_and_says_when_it_is_not_up_to_date() throws Exception {
    try (var other = new RealServer(Files.createTempDirectory("restarting-server"), 0);
        var now = new Console(browser, other.url()).expectingComplaints("net::ERR_", "503");
        var runs = new Console(browser, other.url()).expectingComplaints("net::ERR_", "503");
        var editor = new Console(browser, other.url()).expectingComplaints("net::ERR_", "503")) {
      other.put(
          "/schedules/survives", "{\"target\": \"noop\", \"timing\": {\"cron\": \"0 5 * * *\"}}");
      other.post("/schedules/survives/run", "{}");
      now.signedIn(RealServer.ADMIN, "now").sees(".verdict", "Nothing needs you.");
      runs.signedIn(RealServer.ADMIN, "runs").sees("tbody", "survives");
      editor.signedIn(RealServer.ADMIN, "editor?key=survives").sees("version 1, unchanged");
      other.restartsAfter(
          () -> {
            now.sees(".stale", "The server does not answer.")
                .sees(".verdict", "Nothing needs you.");
            runs.sees(".stale", "The server does not answer.").sees("tbody", "survives");
            editor.types("#edit-description", "while it was away");
            editor.sees(".editor-problem", "The server does not answer.");
          });
      now.seesNo(".stale").sees(".live-state", "live");
      runs.seesNo(".stale").sees("tbody", "survives");
      editor.seesNo(".editor-problem").sees("1 field differs").clicksText("Save version 2");
      editor.sees(".description", "while it was away");
    }
  }

  @Test
  void a_view_that_is_opened_while_the_server_is_away_appears_when_it_is_back() throws Exception {
    try (var other = new RealServer(Files.createTempDirectory("restarting-server"), 0);
        var console = new Console(browser, other.url()).expectingComplaints("net::ERR_", "503")) {
      console.signedIn(RealServer.ADMIN, "runs").sees("h1", "Runs").sees(".live-state", "live");
      other.restartsAfter(() -> console.clicksText("Timeline").sees("The server does not answer."));
      console.sees("h1", "Timeline").isAt("/console/timeline");
    }
  }

  @Test
  void a_browser_whose_clock_is_wrong_tells_times_by_the_servers() {
    define("timely");
    try (var console = new Console(browser, server.url())) {
      console.hasAClockAheadBy(Duration.ofHours(3)).signedIn(RealServer.ADMIN, "now");
      console.sees(".verdict", "needs you.").sees(".clock-off", "Your clock is 3 h");
      console.seesNoText("is late.").sees("[aria-label=Nodes]", "1 node");
      console.opens("/console/schedule?key=timely").clicksText("Run now…");
      console.clicks("dialog[open] [type=submit]").sees("section[aria-label=Runs]", "succeeded");
      console.until("/in \\d/.test(document.querySelector('.fires li').innerText)");
      console.opens("/console/timeline?target=noop").sees(".tl-key", "timely");
      console.opens("/console/forecast").sees(".worst", "fx-rates");
    }
  }

  @Test
  void next_runs_are_told_on_the_clock_of_the_schedule_and_of_the_viewer() {
    define("zoned");
    try (var console =
        new Console(browser, server.url())
            .isIn("America/St_Johns")
            .signedIn(RealServer.ADMIN, "schedules?q=zoned")) {
      String next = "tr[data-key=zoned] td[data-column=next]";
      console.sees(next, "05:00").sees(next, "00:30 yours").sees(".clock", "America/St_Johns");
      console.clicksText("zoned").sees(".fires", "05:00").sees(".fires", "00:30 yours");
      console.opens("/console/forecast").sees("America/St_Johns").sees(".worst", "fx-rates");
      console.until("document.querySelectorAll('.heat svg rect').length >= 24 * 60");
    }
  }

  @Test
  void a_session_that_ended_asks_to_sign_in_and_leads_back() {
    define("signed-out");
    try (var console = at("schedule?key=signed-out")) {
      console.sees(".schedule-key", "active");
      console.evaluate(
          "fetch('/api/v1/session', {method: 'DELETE', headers: {'X-Carillon-Console': '1'}})");
      console.types("#token", RealServer.ADMIN).presses("Enter");
      console.isAt("/console/schedule?key=signed-out").sees(".schedule-key", "active");
    }
  }
}
