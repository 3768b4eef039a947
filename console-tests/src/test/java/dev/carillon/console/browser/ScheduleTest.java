package dev.carillon.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithConsole.class)
class ScheduleTest {
  private static final DateTimeFormatter FIELD = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm");

  private final RealServer server;
  private final Chromium browser;

  ScheduleTest(RealServer server, Chromium browser) {
    this.server = server;
    this.browser = browser;
  }

  private Console at(String view) {
    return new Console(browser, server.url()).signedIn(RealServer.ADMIN, view);
  }

  private void define(String key, String more) {
    server.put(
        "/schedules/" + key,
        "{\"target\": \"noop\", \"timing\": {\"cron\": \"0 5 * * *\", \"zone\": \"Europe/Rome\"}%s}"
            .formatted(more));
  }

  private String status(String key) {
    return server.get("/schedules/" + key).path("status").asText();
  }

  @Test
  void the_definition_and_its_policies_are_told_in_words() {
    define(
        "told",
        ", \"retry\": {\"attempts\": 3}, \"deadline\": {\"after\": \"PT1H\", \"escalateTo\":"
            + " \"log\"}, \"pauseAfterFailures\": 5, \"overlap\": \"queue_one\"");
    try (var console = at("schedule?key=told")) {
      console.isTitled("told · Carillon").sees("dl.facts", "At 05:00 every day, Europe/Rome");
      console.sees("dl.facts", "the next one waits, one at most");
      console.sees("dl.facts", "3, the second after 2 seconds");
      console.sees("dl.facts", "finished within 1 hour, else log is run");
      console.sees("dl.facts", "by itself after 5 failures in a row");
    }
  }

  @Test
  void the_next_fires_say_what_moves_them() {
    server.put(
        "/calendars/moves", "{\"zone\": \"Europe/Rome\", \"weekend\": [\"saturday\", \"sunday\"]}");
    define("moved", ", \"calendar\": {\"name\": \"moves\", \"roll\": \"following\"}");
    try (var console = at("schedule?key=moved")) {
      console.sees(".fires", "moved to Mon").sees(".fires", "one run with");
      console.until("document.querySelectorAll('.fires li').length === 20");
      console.sees(".fires", "yours");
    }
  }

  @Test
  void clock_changes_are_marked_at_the_fires_they_touch() {
    server.put(
        "/schedules/gap",
        "{\"target\": \"noop\", \"timing\": {\"cron\": \"30 2 28 3 *\", \"zone\":"
            + " \"Europe/Rome\"}}");
    try (var console = at("schedule?key=gap")) {
      console.sees(".fires .chip", "02:30");
    }
  }

  @Test
  void why_is_answered_for_a_fire_a_square_and_an_instant() {
    define("why", "");
    try (var console = at("schedule?key=why")) {
      console.sees(".why", "Will it run at").seesNo(".skeleton");
      console.clicks(".fires li:nth-child(3) a");
      console.until("location.search.includes('at=')").sees(".why", "names");
      console.until("document.querySelector('.square.to-come:last-of-type') !== null");
      String day =
          console
              .evaluate("document.querySelector('.square.to-come:last-of-type').dataset.day")
              .asText();
      console.clicks("[data-day='%s']".formatted(day));
      console
          .until("location.search.includes('at=%s')".formatted(day))
          .until("document.querySelector('.why time').dateTime.startsWith('%s')".formatted(day));
      console.evaluate("document.querySelector('#why-at').value = '2026-01-02T03:04'");
      console
          .clicksText("Why?")
          .isAt("at=2026-01-02T03%3A04%3A00.000Z")
          .sees(".why", "What was due");
      console
          .goesBack()
          .until("document.querySelector('.why time').dateTime.startsWith('%s')".formatted(day));
      console.opens("/console/schedule?key=why&at=then").sees(".why", "Will it run at");
      console.sees(".versions", "Version 1").isQuiet();
    }
  }

  @Test
  void squares_are_reached_and_opened_by_keys() {
    define("keys", "");
    try (var console = at("schedule?key=keys")) {
      console.until("document.querySelector('.square[tabindex=\"0\"]') !== null");
      console.evaluate("document.querySelector('.square.today').focus()");
      console.presses("ArrowDown").until("document.activeElement.classList.contains('to-come')");
      console.presses("ArrowUp", "ArrowDown", "Enter").until("location.search.includes('at=')");
    }
  }

  @Test
  void it_runs_now_with_a_payload_and_the_table_shows_it() {
    define("runs-now", "");
    try (var console = at("schedule?key=runs-now")) {
      console.clicksText("Run now…").chooses("#ask-overlap", "allow");
      console.types("#ask-payload", "{\"by\": \"hand\"}").clicks("dialog[open] [type=submit]");
      console.sees(".toasts", "runs-now runs.").sees("section[aria-label=Runs]", "succeeded");
      String id = server.get("/runs?schedule=runs-now").path("items").get(0).path("id").asText();
      assertThat(server.get("/runs/" + id).path("payload").path("by").asText()).isEqualTo("hand");
      console.sees("section[aria-label='Duration and lateness']", "typical");
    }
  }

  @Test
  void a_payload_that_is_no_json_is_refused_at_its_field() {
    try (var console = at("schedule?key=fx-rates")) {
      console
          .clicksText("Run now…")
          .types("#ask-payload", "{oops")
          .clicks("dialog[open] [type=submit]");
      console.sees("dialog .field-error", "is no JSON");
    }
  }

  @Test
  void it_is_paused_with_a_reason_and_resumed() {
    define("pausing", "");
    try (var console = at("schedule?key=pausing")) {
      console.clicksText("Pause…").types("#ask-reason", "audit").presses("Enter");
      console.sees(".schedule-key", "paused").sees("Paused: audit");
      assertThat(status("pausing")).isEqualTo("paused");
      console.clicksText("Resume").sees(".schedule-key", "active");
      console.clicks(".toast:last-child button").sees("Paused: audit");
    }
  }

  @Test
  void it_is_retired_and_that_can_be_taken_back() {
    define("leaving", "");
    try (var console = at("schedule?key=leaving")) {
      console.clicksText("Retire…").clicks("dialog[open] [type=submit]");
      console.sees(".schedule-key", "retired").sees("Bring it back…");
      console.clicksText("Undo").sees(".schedule-key", "active");
      assertThat(status("leaving")).isEqualTo("active");
    }
  }

  @Test
  void what_has_no_slot_left_offers_no_action_but_to_bring_it_back() {
    server.put(
        "/schedules/was-once",
        "{\"target\": \"noop\", \"timing\": {\"at\": \"%s\"}}"
            .formatted(Instant.now().plusSeconds(1).truncatedTo(ChronoUnit.SECONDS)));
    server.once(
        "/schedules/was-once", schedule -> schedule.path("status").asText().equals("completed"));
    try (var console = at("schedule?key=was-once&backfill=1")) {
      console.sees(".schedule-key", "completed").sees("Bring it back…").seesNo(".deeds button");
      console.seesNo("backfill-panel").seesNo(".versions button");
      console.opens("/console/schedules?status=completed&q=was-once").clicks("tbody input");
      console.clicksText("Pause…").sees(".toasts", "none of them fires any more");
    }
  }

  @Test
  void versions_show_what_they_changed_and_are_rolled_back_to() {
    define("versions", ", \"tags\": [\"old\"]");
    define("versions", ", \"tags\": [\"new\"]");
    try (var console = at("schedule?key=versions")) {
      console.sees(".why", "Will it run at").seesNo(".skeleton");
      console.clicksText("Version 2").sees(".changes", "tags").sees(".changes .was", "old");
      console.isAt("version=2").clicksText("Roll back to 1");
      console.sees(".toasts", "Version 3 is as version 1 was.").sees(".versions", "Version 3");
      assertThat(server.get("/schedules/versions").path("tags").get(0).asText()).isEqualTo("old");
      console.sees("section[aria-label=Audit]", "by admin");
    }
  }

  @Test
  void a_backfill_shows_its_slots_runs_them_and_tells_how_far_it_is() {
    define("fills", "");
    Instant to = Instant.now().truncatedTo(ChronoUnit.MINUTES);
    try (var console = at("schedule?key=fills").expectingRefusal(422)) {
      console.clicksText("Backfill…").isAt("backfill=1");
      fill(console, "#backfill-from", to.minus(4, ChronoUnit.DAYS));
      fill(console, "#backfill-to", to);
      console.types("#backfill-spread", "soon").clicksText("Show the slots");
      console.sees("[aria-label=Backfill] .field-error", "soon");
      console.evaluate("document.querySelector('#backfill-spread').value = 'PT2S'");
      console.clicksText("Show the slots").sees("[aria-label=Backfill]", "4 slots");
      console.sees("[aria-label=Backfill]", "on the clock of Europe/Rome");
      assertThat(server.get("/runs?schedule=fills").path("items")).isEmpty();
      console.clicksText("Run 4 slots").sees("[aria-label=Backfill]", "4 of 4 runs over");
      console.until("document.querySelectorAll('.square.ok').length >= 4");
    }
  }

  @Test
  void a_backfill_is_stopped() {
    server.put(
        "/schedules/stops", "{\"target\": \"recon\", \"timing\": {\"cron\": \"0 5 * * *\"}}");
    Instant to = Instant.now().truncatedTo(ChronoUnit.MINUTES);
    try (var console = at("schedule?key=stops&backfill=1")) {
      fill(console, "#backfill-from", to.minus(3, ChronoUnit.DAYS));
      fill(console, "#backfill-to", to);
      console.clicksText("Show the slots").clicksText("Run 3 slots");
      console.clicksText("Stop what is not over").sees("3 of 3 runs over");
      assertThat(server.get("/runs?schedule=stops&state=canceled").path("items")).hasSize(3);
    }
  }

  private static void fill(Console console, String selector, Instant at) {
    console.until("document.querySelector('%s') !== null".formatted(selector));
    console.evaluate(
        "(() => { const f = document.querySelector('%s'); f.value = '%s'; f.dispatchEvent(new Event('input', {bubbles: true})); })()"
            .formatted(selector, FIELD.format(at.atZone(ZoneOffset.UTC))));
  }

  @Test
  void a_run_appears_by_itself() {
    define("live", "");
    try (var console = at("schedule?key=live")) {
      console.sees("section[aria-label=Runs]", "None yet.").sees(".live-state", "live");
      server.post("/schedules/live/run", "{}");
      console.sees("section[aria-label=Runs]", "succeeded");

      server.post("/schedules/live/run", "{}");
      console.until("document.querySelectorAll('section[aria-label=Runs] tbody tr').length === 2");
      console.evaluate("document.querySelector('section[aria-label=Runs] tbody tr').focus()");
      console.presses("ArrowDown", "Enter").until("location.pathname === '/console/run'");
    }
  }

  @Test
  void what_is_not_there_is_said() {
    try (var console = at("schedule?key=no-such").expectingRefusal(404)) {
      console.sees("There is no such schedule.").clicksText("To the schedules");
      console.isAt("/console/schedules");
    }
  }

  @Test
  void a_viewer_sees_no_action() {
    try (var console =
        new Console(browser, server.url())
            .signedIn(server.token("viewer"), "schedule?key=fx-rates&backfill=1")) {
      console.sees("dl.facts", "Every 5 minutes").sees(".versions", "Version 1");
      console.seesNo(".deeds button").seesNo(".deeds a").seesNo("backfill-panel");
      console.seesNo(".versions button");
    }
  }

  @Test
  void markup_is_shown_as_text() {
    String key =
        java.net.URLEncoder.encode(
            Seed.HOSTILE.replace(" ", "_"), java.nio.charset.StandardCharsets.UTF_8);
    server.post("/schedules/" + key + "/pause", "{\"reason\": \"%s\"}".formatted(Seed.HOSTILE));
    try (var console = at("schedule?key=" + key)) {
      console.sees("Paused: <img").sees(".top", Seed.HOSTILE).sees(".audit-lines", "<img");
      assertThat(console.evaluate("document.querySelectorAll('main img').length").asInt()).isZero();
    } finally {
      server.post("/schedules/" + key + "/resume", "");
    }
  }

  @Test
  void it_is_accessible_in_both_themes_and_nothing_overflows() {
    try (var console = at("schedule?key=invoice-close")) {
      for (String theme : new String[] {"light", "dark"}) {
        console.prefers(theme).opens("/console/schedule?key=invoice-close&backfill=1");
        console.until("document.querySelector('.square.bad') !== null").sees(".why", "?");
        console.isAccessible();
        console.isPhotographed(Path.of("target/screenshots/schedule-" + theme + ".png"));
      }
      for (int width : new int[] {390, 1280}) {
        console.isWide(width).sees("Latest runs").fitsItsWidth();
        console.isPhotographed(Path.of("target/screenshots/schedule-" + width + ".png"));
      }
    }
  }
}
