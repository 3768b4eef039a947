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
      console.clicksText("Save version 1").sees("#edit-key-says", "say how it is called");
      console.sees("#edit-target-says", "say what is run");
      console.types("#edit-target", "noop");
      gives(console, "#edit-timing-cron", "61 * * * *").sees("#edit-timing-cron-says", "61");
      gives(console, "#edit-timing-cron", "0 9 * * *");
      gives(console, "#edit-timing-zone", "Mars/Olympus").sees("#edit-timing-zone-says", "Mars");
      gives(console, "#edit-payload", "{oops").sees("#edit-payload-says", "is no JSON");
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
      console.clicks("input[name=overlap][value=queue_one]");
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
      console.clicksText("Copy as YAML").sees(".copied", "cron: \"0 14 * * *\"");
      console.clicksText("Copy as curl").sees(".copied", "curl -X PUT");
      console.clicksText("Copy as Java").sees(".copied", "ScheduleDraft.named(\"copied\")");
      console.sees(".copied", ".cron(\"0 14 * * *\", \"Europe/Rome\")");
    }
  }

  @Test
  void what_somebody_else_changed_is_not_overwritten() {
    define("contested");
    try (var console = at("editor?key=contested").expectingRefusal(412)) {
      gives(console, "#edit-description", "mine").sees("will become version 2");
      server.put(
          "/schedules/contested", "{\"target\": \"log\", \"timing\": {\"every\": \"PT1H\"}}");
      console.clicksText("Save version 2").sees("Somebody changed it meanwhile.");
      assertThat(server.get("/schedules/contested").path("target").asText()).isEqualTo("log");
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
    define("looked-at");
    try (var console = at("editor?key=looked-at")) {
      for (String theme : new String[] {"light", "dark"}) {
        console.prefers(theme).opens("/console/editor?key=looked-at");
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
