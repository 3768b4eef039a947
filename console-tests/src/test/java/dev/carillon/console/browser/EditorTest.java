package dev.carillon.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithConsole.class)
class EditorTest {
  private final RealServer server;
  private final Chromium browser;

  EditorTest(RealServer server, Chromium browser) {
    this.server = server;
    this.browser = browser;
  }

  private Console at(String view) {
    return new Console(browser, server.url()).signedIn(RealServer.ADMIN, view);
  }

  private void define(String key) {
    server.put(
        "/schedules/" + key,
        "{\"target\": \"noop\", \"timing\": {\"cron\": \"0 14 * * *\", \"zone\": \"Europe/Rome\"},"
            + " \"tags\": [\"t\"]}");
  }

  /* Puts a text into a field in place of what it has. */
  private static Console gives(Console console, String selector, String text) {
    console.until("document.querySelector('%s') !== null".formatted(selector));
    console.evaluate(
        "(() => { const f = document.querySelector('%s'); f.value = %s; f.dispatchEvent(new Event('input', {bubbles: true})); })()"
            .formatted(selector, TextNode.valueOf(text)));
    return console;
  }

  @Test
  void a_new_schedule_is_made_by_form_and_can_be_taken_back() {
    try (var console = at("editor")) {
      console.types("#edit-key", "by-form").types("#edit-target", "noop");
      console.chooses("cron-builder [name=kind]", "weekly");
      console.sees(".says", "weekdays").sees(".strip", "09:00");
      console.sees("[aria-label='What saving changes']", "gained").clicksText("Save version 1");
      console
          .isAt("/console/schedule?key=by-form")
          .sees(".toasts", "Version 1 of by-form is stored.");
      assertThat(server.get("/schedules/by-form").at("/timing/cron").asText())
          .isEqualTo("0 9 * * 1-5");
      console.clicksText("Undo").sees(".schedule-key", "retired");
    }
  }

  @Test
  void an_edit_tells_which_fires_are_gained_and_lost_before_it_is_saved() {
    define("edited");
    try (var console = at("editor?key=edited")) {
      console.sees("version 1, unchanged");
      gives(console, "#edit-timing-cron", "0 14 * * 1-5").sees(".says", "At 14:00 on weekdays");
      console.sees("[aria-label='What saving changes']", "Lost: Sat");
      console.sees("will become version 2");
      assertThat(server.get("/schedules/edited").path("version").asInt()).isEqualTo(1);
      console.clicksText("Save version 2").isAt("/console/schedule?key=edited");
      console.sees("dl.facts", "At 14:00 on weekdays").clicksText("Undo");
      console.sees("dl.facts", "At 14:00 every day");
    }
  }

  @Test
  void mistakes_are_told_at_their_fields() {
    try (var console = at("editor").expectingRefusal(422).expectingRefusal(400)) {
      console.until("document.activeElement.id === 'edit-key'");
      console.clicksText("Save version 1").sees("#edit-key-says", "say how it is called");
      console.sees("#edit-target-says", "say what is run");
      console.types("#edit-target", "noop");
      gives(console, "#edit-timing-cron", "61 * * * *").sees("#edit-timing-cron-says", "61");
      gives(console, "#edit-timing-cron", "0 9 * * *");
      gives(console, "#edit-timing-zone", "Mars/Olympus").sees("#edit-timing-zone-says", "Mars");
      gives(console, "#edit-payload", "{oops").sees("#edit-payload-says", "is no JSON");
      gives(console, "#edit-payload", "{}");
      gives(console, "#edit-retry-attempts", "0").sees("#edit-retry-attempts-says", "from 1");
    }
  }

  @Test
  void lint_and_words_come_while_one_writes() {
    try (var console = at("editor")) {
      gives(console, "#edit-timing-zone", "Europe/Rome");
      gives(console, "#edit-timing-cron", "30 2 * * *").sees(".says", "At 02:30 every day");
      console.sees(".lint", "02:30 does not exist on");
      console.clicksText("Every").sees(".says", "Every 15 minutes");
    }
  }

  @Test
  void a_calendar_is_picked_and_its_roll_explained() {
    server.put("/calendars/picked", "{\"zone\": \"Europe/Rome\"}");
    define("with-calendar");
    try (var console = at("editor?key=with-calendar")) {
      console.chooses("#edit-calendar", "picked");
      console.sees("[aria-label=When]", "on a day off").sees("will become version 2");
      console.chooses("#edit-calendar-roll", "preceding").clicksText("Save version 2");
      console.sees("dl.facts", "picked: moves to the business day before");
    }
  }

  @Test
  void rules_are_explained_where_they_are_chosen() {
    define("ruled");
    try (var console = at("editor?key=ruled")) {
      console.sees("one slot waits, more are skipped with a reason");
      console.sees("Nothing: it is as it was."); // what comes later moves what is clicked
      console.clicks("input[name=overlap][value=queue_one]").sees("1 field differs");
      console.clicks("input[name=catchUp][value=all]").sees("will become version 2");
      console.clicksText("Save version 2").sees("dl.facts", "the next one waits, one at most");
      console.sees("dl.facts", "all missed slots run, oldest first");
    }
  }

  @Test
  void a_template_is_checked_and_shown_filled_in() {
    define("filled");
    try (var console = at("editor?key=filled").expectingRefusal(422)) {
      gives(console, "#edit-payload", "{\"day\": \"${slot:yyyy}\"}").clicks("#edit-template");
      console.sees(".expanded", "{\"day\":\"20");
      gives(console, "#edit-payload", "{\"day\": \"${slott}\"}")
          .sees("#edit-payload-says", "slott");
    }
  }

  @Test
  void it_is_copied_as_yaml_curl_and_java() {
    define("copied");
    try (var console = at("editor?key=copied")) {
      console.sees("version 1, unchanged");
      console.clicksText("Copy as YAML").sees(".copied", "cron: \"0 14 * * *\"");
      console.clicksText("Copy as curl").sees(".copied", "curl -X PUT");
      console.clicksText("Copy as Java").sees(".copied", "ScheduleDraft.named(\"copied\")");
      console.sees(".copied", ".cron(\"0 14 * * *\", \"Europe/Rome\")");
    }
  }

  @Test
  void what_somebody_else_changed_is_told_at_once_and_not_overwritten_unless_wanted() {
    define("contested");
    try (var console = at("editor?key=contested").expectingRefusal(412);
        var other = console.opensAnotherTab().opens("/console/editor?key=contested")) {
      gives(console, "#edit-description", "mine").sees("will become version 2");
      gives(other, "#edit-description", "theirs").clicksText("Save version 2");
      other.sees(".toasts", "Version 2 of contested is stored.");

      console.comesToFront().sees("Somebody changed it meanwhile.").clicksText("Save version 2");
      console.sees("Somebody changed it meanwhile.");
      assertThat(server.get("/schedules/contested").path("description").asText())
          .isEqualTo("theirs");
      console.clicksText("Go on with mine").sees(".toasts", "Saving replaces version 2 now.");
      console.clicksText("Save version 3").isAt("/console/schedule?key=contested");
      assertThat(server.get("/schedules/contested").path("description").asText()).isEqualTo("mine");
    }
  }

  @Test
  void what_is_not_saved_is_there_again_for_whoever_comes_back() {
    define("left");
    try (var console = at("editor?key=left").expectingRefusal(412)) {
      gives(console, "#edit-description", "half a sen").sees("will become version 2");
      console.clicksText("Now").isAt("/console/now").goesBack();
      console
          .sees(".toasts", "What you had not saved is here again.")
          .sees("will become version 2");
      console.opens("/console/editor?key=left").reads("form", "half a sen");
      console.clicksText("Undo").sees("version 1, unchanged").reads("form", "");

      gives(console, "#edit-description", "mine").sees("will become version 2");
      console.clicksText("Now").isAt("/console/now");
      server.put("/schedules/left", "{\"target\": \"log\", \"timing\": {\"every\": \"PT1H\"}}");
      console.goesBack().sees("Somebody changed it meanwhile.").reads("form", "mine");

      console.clicksText("Cancel").isAt("/console/schedule?key=left").goesBack();
      console.sees("version 2, unchanged");
    }
  }

  @Test
  void what_was_written_of_one_kind_of_timing_survives_a_look_at_another() {
    try (var console = at("editor")) {
      gives(console, "#edit-timing-cron", "7 3 2 * *")
          .clicksText("Every")
          .sees(".says", "15 minutes");
      console.clicksText("Cron").sees(".says", "At 03:07");
    }
  }

  @Test
  void one_may_start_again_from_what_somebody_else_made_of_it() {
    define("yielding");
    try (var console = at("editor?key=yielding").expectingRefusal(412)) {
      gives(console, "#edit-description", "mine").sees("will become version 2");
      server.put("/schedules/yielding", "{\"target\": \"log\", \"timing\": {\"every\": \"PT1H\"}}");
      console.clicksText("Start from theirs").sees("version 2, unchanged");
      console.until("document.querySelector('#edit-description').value === ''");
    }
  }

  @Test
  void a_key_that_is_taken_is_told_at_its_field() {
    try (var console = at("editor").expectingRefusal(412)) {
      console.types("#edit-target", "noop").types("#edit-key", "fx-rates");
      console.sees("#edit-key-says", "choose another, or edit that one");
      gives(console, "#edit-key", "..").sees(".editor-problem", "choose another name");
      assertThat(server.get("/schedules/fx-rates").path("target").asText()).isEqualTo("log");
    }
  }

  @Test
  void what_is_promised_is_given_by_form_and_its_errors_stand_at_their_fields() {
    define("promised");
    try (var console = at("editor?key=promised").expectingRefusal(422)) {
      console.chooses("#edit-deadline", "after");
      console.sees("#edit-deadline-escalateTo-says", "target");
      gives(console, "#edit-deadline-after", "2 hours")
          .sees("#edit-deadline-after-says", "2 hours");
      gives(console, "#edit-deadline-after", "PT2H");
      gives(console, "#edit-deadline-escalateTo", "log");
      gives(console, "#edit-expect-successEvery", "P2D");
      gives(console, "#edit-expect-grace", "PT30M");
      gives(console, "#edit-expect-escalateTo", "log").sees("2 fields differ");
      console.clicksText("Save version 2").sees("dl.facts", "finished within 2 hours, else log");
      console.sees("dl.facts", "a success every 2 days, else log");
      console.clicksText("Edit").chooses("#edit-deadline", "at").sees("1 field differs");
      console.clicksText("Save version 3").sees("dl.facts", "finished by 18:00");
    }
  }

  @Test
  void failures_and_business_time_are_given_by_form() {
    server.put("/calendars/working", "{\"zone\": \"Europe/Rome\"}");
    define("patient");
    try (var console = at("editor?key=patient").expectingRefusal(422)) {
      gives(console, "#edit-retry-attempts", "4");
      gives(console, "#edit-retry-backoff", "PT1M");
      gives(console, "#edit-retry-factor", "3");
      gives(console, "#edit-retry-maxBackoff", "PT1H");
      console.chooses("#edit-retry-calendar", "working");
      gives(console, "#edit-timeout", "PT20M");
      console.chooses("#edit-recovery", "fail").chooses("#edit-calendar", "working");
      gives(console, "#edit-calendar-offset", "2");
      console.chooses("#edit-calendar-outsideHours", "defer");
      gives(console, "#edit-jitter", "PT5M");
      console.chooses("#edit-jitterMode", "after").sees("will become version 2");
      gives(console, "#edit-window-until", "2090-01-02T03:04:05");
      gives(console, "#edit-maxRuns", "99999999999999999999")
          .sees("#edit-maxRuns-says", "9223372036854775807");
      gives(console, "#edit-maxRuns", "1000").sees("[aria-label='What saving changes']", "differ");
      console.clicksText("Save version 2").isAt("/console/schedule?key=patient");
    }
    var saved = server.get("/schedules/patient");
    assertThat(saved.at("/retry/calendar").asText()).isEqualTo("working");
    assertThat(saved.at("/retry/maxBackoff").asText()).isEqualTo("PT1H");
    assertThat(saved.at("/retry/factor").asDouble()).isEqualTo(3);
    assertThat(saved.at("/calendar/offset").asInt()).isEqualTo(2);
    assertThat(saved.at("/calendar/outsideHours").asText()).isEqualTo("defer");
    assertThat(saved.path("jitterMode").asText()).isEqualTo("after");
    assertThat(saved.path("recovery").asText()).isEqualTo("fail");
    assertThat(saved.at("/window/until").asText()).isEqualTo("2090-01-02T03:04:05Z");
    assertThat(saved.path("maxRuns").asLong()).isEqualTo(1000);
  }

  @Test
  void a_business_day_is_a_timing_like_any_other() {
    server.put("/calendars/a-calendar", "{\"zone\": \"Europe/Rome\"}");
    try (var console = at("editor")) {
      console.types("#edit-key", "by-business-day").types("#edit-target", "noop");
      console.clicksText("Business day").chooses("#edit-timing-calendar", "a-calendar");
      gives(console, "#edit-timing-businessDay", "-1").sees(".says", "last business day");
      console.clicksText("Save version 1").sees("dl.facts", "last business day");
      console.clicksText("Edit").sees(".says", "last business day").sees("version 1, unchanged");
    }
  }

  @Test
  void an_instant_is_picked_on_the_clock_of_whoever_picks_it() {
    try (var console =
        new Console(browser, server.url())
            .isIn("America/New_York")
            .signedIn(RealServer.ADMIN, "editor")) {
      console.types("#edit-key", "at-noon").types("#edit-target", "noop").clicksText("Once");
      console.sees("[aria-label=When] label", "at (America/New_York)");
      gives(console, "#edit-timing-at", "2090-07-01T12:00")
          .sees("#edit-timing-at-says", "16:00:00 UTC");
      console.clicksText("Save version 1").isAt("/console/schedule?key=at-noon");
    }
    assertThat(server.get("/schedules/at-noon").at("/timing/at").asText())
        .isEqualTo("2090-07-01T16:00:00Z");
  }

  @Test
  void payloads_keep_every_digit_of_their_numbers() {
    server.put(
        "/schedules/digits",
        "{\"target\": \"noop\", \"timing\": {\"cron\": \"0 5 * * *\"}, \"payload\": {\"order\":"
            + " 12345678901234567890, \"share\": 0.12345678901234567890}}");
    try (var console = at("editor?key=digits")) {
      console.until(
          "document.querySelector('#edit-payload')?.value.includes('12345678901234567890')");
      gives(console, "#edit-description", "touched").sees("1 field differs: description");
      console.clicksText("Copy as YAML").sees(".copied", "order: 12345678901234567890");
      console.clicksText("Save version 2").sees(".top", "touched").clicksText("Run now…");
      console.until(
          "document.querySelector('#ask-payload').value.includes('12345678901234567890')");
    }
    assertThat(server.get("/schedules/digits").at("/payload/order").asText())
        .isEqualTo("12345678901234567890");
  }

  @Test
  void a_description_that_is_too_long_is_told_at_its_field_and_a_long_one_fits_everywhere() {
    define("long");
    try (var console = at("editor?key=long").expectingRefusal(422)) {
      gives(console, "#edit-description", "many words ".repeat(455))
          .sees("#edit-description-says", "at most 4000 characters; this one has 5005");
      gives(console, "#edit-description", "x".repeat(2_000) + " " + "word ".repeat(300));
      console.sees("1 field differs: description").clicksText("Save version 2");
      console.sees(".top", "word word").isWide(390).fitsItsWidth().isWide(1280).fitsItsWidth();
      console.opens("/console/schedules?q=long").sees("tr[data-key=long]", "v2").fitsItsWidth();
    }
  }

  @Test
  void a_payload_of_a_hundred_kilobytes_is_edited_shown_and_run() {
    server.put(
        "/schedules/heavy",
        "{\"target\": \"noop\", \"timing\": {\"cron\": \"0 5 * * *\"}, \"payload\": {\"text\": \"%s\"}}"
            .formatted("0123456789".repeat(10_000)));
    try (var console = at("editor?key=heavy")) {
      console.until("document.querySelector('#edit-payload')?.value.length > 100000");
      console
          .sees("version 1, unchanged")
          .clicks("#edit-template")
          .sees("The next run gets")
          .fitsItsWidth();
      console.clicksText("Save version 2").clicksText("payload, a template");
      console
          .until("document.querySelector('.payload pre').innerText.length > 100000")
          .fitsItsWidth();
      console.clicksText("Run now…").clicks("dialog[open] [type=submit]");
      console.sees("section[aria-label=Runs]", "succeeded");
    }
  }

  @Test
  void a_retired_schedule_is_brought_back_by_saving_it() {
    define("returns");
    server.delete("/schedules/returns");
    try (var console = at("schedule?key=returns")) {
      console.clicksText("Bring it back…").sees("Edit returns");
      console.clicks("button.primary").sees(".schedule-key", "active");
    }
    assertThat(server.get("/schedules/returns").path("status").asText()).isEqualTo("active");
  }

  @Test
  void what_is_copied_as_java_compiles() throws Exception {
    server.put("/calendars/copied", "{\"zone\": \"Europe/Rome\"}");
    server.put(
        "/schedules/whole",
        """
        {"target": "noop", "timing": {"cron": "30 2 * * *", "zone": "Europe/Rome", "dstOverlap": "both"},
         "payload": {"quote": "\\" \\\\ \\n é"}, "template": true,
         "window": {"from": "2026-01-01T00:00:00Z", "until": "2090-01-01T00:00:00Z"}, "jitter": "PT5S", "jitterMode": "after",
         "calendar": {"name": "copied", "roll": "modified_following", "offset": 1, "outsideHours": "skip"},
         "overlap": "queue", "queueLimit": 7, "catchUp": {"mode": "all", "limit": 5, "maxAge": null, "grace": "PT1M"},
         "retry": {"attempts": 3, "backoff": "PT2S", "factor": 1.5, "maxBackoff": "PT1M", "calendar": "copied"},
         "recovery": "fail", "timeout": "PT10M", "timeoutCalendar": "copied",
         "deadline": {"after": "PT1H", "calendar": "copied", "escalateTo": "log"},
         "expect": {"successEvery": "P1D", "grace": "PT1H", "escalateTo": "log"},
         "pauseAfterFailures": 5, "maxRuns": 9, "description": "it's \\"quoted\\"", "tags": ["a", "b"]}
        """);
    try (var console = at("editor?key=whole")) {
      console
          .sees("version 1, unchanged")
          .clicksText("Copy as Java")
          .sees(".copied", "Deadline.after");
      String java = console.evaluate("document.querySelector('.copied').innerText").asText();
      assertThat(java)
          .contains("Overlap.queue(7)", ".limit(5).anyAge()", "Jitter.after", ".offset(1)")
          .contains(".timeout(Duration.parse(\"PT10M\"), \"copied\")", "Expectation.successEvery");
      assertThat(JavaText.complaints(java)).isEmpty();
    }
  }

  @Test
  void a_viewer_and_an_operator_are_told_that_they_may_not() {
    for (String role : new String[] {"viewer", "operator"}) {
      try (var console =
          new Console(browser, server.url()).signedIn(server.token(role), "editor?key=fx-rates")) {
        console.sees("Changing schedules needs the role editor.").seesNo("editor-view form");
      }
    }
  }

  @Test
  void markup_is_shown_as_text() {
    String key =
        java.net.URLEncoder.encode(
            Seed.HOSTILE.replace(" ", "_"), java.nio.charset.StandardCharsets.UTF_8);
    try (var console = at("editor?key=" + key)) {
      console.sees("h1", "<img_src").clicksText("Copy as YAML").sees(".copied", "<img src=x");
      assertThat(console.evaluate("document.querySelectorAll('main img').length").asInt()).isZero();
    }
  }

  @Test
  void it_is_accessible_in_both_themes_and_nothing_overflows() {
    define("looked-at-light");
    define("looked-at-dark");
    try (var console = at("nodes")) {
      for (String theme : new String[] {"light", "dark"}) {
        console.prefers(theme).opens("/console/editor?key=looked-at-" + theme);
        console.sees(".says", "At 14:00 every day").sees("version 1, unchanged");
        gives(console, "#edit-timing-cron", "0 14 * * 1-5").sees("Lost: Sat").isAccessible();
        console.isPhotographed(Path.of("target/screenshots/editor-" + theme + ".png"));
      }
      for (int width : new int[] {390, 1280}) {
        console.isWide(width).fitsItsWidth();
        console.isPhotographed(Path.of("target/screenshots/editor-" + width + ".png"));
      }
    }
  }
}
