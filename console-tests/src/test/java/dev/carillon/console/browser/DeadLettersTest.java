package dev.carillon.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithConsole.class)
class DeadLettersTest {
  private final RealServer server;
  private final Chromium browser;

  DeadLettersTest(RealServer server, Chromium browser) {
    this.server = server;
    this.browser = browser;
  }

  private Console at(String view) {
    return new Console(browser, server.url()).signedIn(RealServer.ADMIN, view);
  }

  /* Dead letters of one target, which differ by a number only. */
  private void dies(String target, int times) {
    var worker = new Worker(server, target);
    for (int i = 0; i < times; i++) {
      worker.asksAndFails(
          "{\"order\": %s}".formatted(i),
          "no_space",
          "disk %s of order %s is full".formatted(i, 100 + i),
          "");
    }
  }

  private long dead(String target) {
    return server.get("/dead-letters?target=" + target).path("items").size();
  }

  @Test
  void what_failed_for_the_same_cause_is_one_group() {
    dies("disk", 3);
    new Worker(server, "disk").asksAndFails("{}", "timeout", "no answer within 5 s", "");
    try (var console = at("dead-letters?target=disk")) {
      console.sees("4, of 2 causes").sees(".cause-count", "3").sees(".cause-count", "1");
      console.until("document.querySelectorAll('.cause').length === 2");
      console.clicks(".cause-count").sees("td[data-column=message]", "disk 1 of order 101 is full");
      console.until("location.search.includes('cause=')");
      console.goesBack().seesNo(".cause data-table");
    }
  }

  @Test
  void one_is_run_again_and_that_can_be_taken_back() {
    dies("one-again", 1);
    try (var console = at("dead-letters?target=one-again")) {
      console
          .clicks(".cause-count")
          .clicksText("Run again")
          .sees(".toasts", "one-again runs again.");
      console
          .sees("No dead letter is like that.")
          .clicksText("Undo")
          .sees(".toasts", "Taken back.");
    }
    server.once(
        "/runs?target=one-again", page -> page.at("/items/0/state").asText().equals("canceled"));
  }

  @Test
  void one_is_mended_before_it_is_run_again() {
    dies("mended", 1);
    try (var console = at("dead-letters?target=mended")) {
      console.clicks(".cause-count").clicksText("Edit…").sees("dialog", "another payload");
      console.until("document.querySelector('#ask-payload').value.includes('\"order\": 0')");
      console.evaluate("document.querySelector('#ask-payload').value = 'order 1'");
      console.clicks("dialog [type=submit]").sees(".field-error", "this is no JSON");
      console.evaluate("document.querySelector('#ask-payload').value = '{\"order\": 77}'");
      console.clicks("dialog [type=submit]").sees(".toasts", "mended runs again.");
    }
    assertThat(new Worker(server, "mended").fetches().at("/payload/order").asInt()).isEqualTo(77);
  }

  @Test
  void all_of_a_cause_are_run_again_after_saying_how_many() {
    dies("all-again", 3);
    try (var console = at("dead-letters?target=all-again")) {
      console.clicksText("Run all again…").sees("dialog", "Run 3 dead letters again?");
      console.clicksText("Run 3 again").sees(".toasts", "3 dead letters run again.");
      console.sees("No dead letter is like that.");
    }
    assertThat(server.get("/runs?target=all-again&state=pending").path("items")).hasSize(3);
  }

  @Test
  void they_are_run_again_at_a_rate_which_can_be_stopped() {
    dies("paced", 3);
    try (var console = at("dead-letters?target=paced")) {
      console.clicksText("At a rate…");
      console.evaluate("document.querySelector('#ask-perMinute').value = '0'");
      console.clicksText("Begin").sees(".field-error", "from 1 to 600");
      console.evaluate("document.querySelector('#ask-perMinute').value = '1'");
      console.clicksText("Begin").sees(".paced", "1 of 3").clicksText("Stop").seesNo(".paced");
      assertThat(dead("paced")).isEqualTo(2);
      console.sees(".cause-count", "2").clicksText("At a rate…");
      console.evaluate("document.querySelector('#ask-perMinute').value = '600'");
      console.clicksText("Begin").sees(".toasts", "2 dead letters run again.").seesNo(".paced");
    }
    assertThat(dead("paced")).isZero();
  }

  @Test
  void a_rate_goes_on_where_it_was_after_the_server_was_away() {
    dies("paced-on", 2);
    try (var console =
        at("dead-letters?target=paced-on").expectingComplaints("net::ERR_", "503", "Failed")) {
      console.sees(".cause-count", "2").clicksText("At a rate…");
      console.evaluate("document.querySelector('#ask-perMinute').value = '600'");
      console.evaluate(
          "window.away = fetch, window.fetch = async () => { throw new TypeError('away'); }");
      console.clicksText("Begin").sees(".paced", "0 of 2");
      console.evaluate("window.fetch = window.away");
      console.sees(".toasts", "2 dead letters run again.").seesNo(".paced");
    }
    assertThat(dead("paced-on")).isZero();
  }

  @Test
  void what_another_tab_ran_again_meanwhile_is_not_taken_back() {
    dies("in-two-tabs", 2);
    try (var console = at("dead-letters?target=in-two-tabs")) {
      console.sees(".cause-count", "2").clicksText("Run all again…");
      server.post(
          "/dead-letters/redrive", "{\"filter\": {\"target\": \"in-two-tabs\"}, \"all\": true}");
      console.clicksText("Run 2 again").sees(".toasts", "2 had been run again or dismissed");
      console.seesNoText("Undo");
    }
  }

  @Test
  void they_are_given_up_for_a_reason() {
    dies("given-up", 2);
    try (var console = at("dead-letters?target=given-up")) {
      console
          .clicksText("Dismiss all…")
          .types("#ask-reason", "orders were canceled")
          .presses("Enter");
      console.sees(".toasts", "2 dead letters dismissed.").sees("No dead letter is like that.");
    }
    assertThat(server.get("/runs?target=given-up").at("/items/0/dismissed/reason").asText())
        .isEqualTo("orders were canceled");
  }

  @Test
  void a_new_one_appears_by_itself() {
    new Worker(server, "appears");
    try (var console = at("dead-letters?target=appears")) {
      console.sees("No dead letter is like that.").sees(".live-state", "live");
      dies("appears", 1);
      console.sees(".cause", "is full");
    }
  }

  @Test
  void by_keys_alone_all_of_a_cause_are_run_again() {
    dies("by-keys", 2);
    try (var console = at("runs")) {
      console
          .sees("fx-rates")
          .presses("g", "d")
          .isAt("/console/dead-letters")
          .sees(".cause", "is full");
      console.opens("/console/dead-letters?target=by-keys").sees(".cause", "is full");
      console.evaluate("document.querySelector('.cause-actions button').focus()");
      console.presses("Enter").sees("dialog", "Run 2 dead letters again?").presses("Enter");
      console.sees(".toasts", "2 dead letters run again.");
    }
  }

  @Test
  void a_viewer_sees_no_action() {
    try (var console =
        new Console(browser, server.url())
            .signedIn(server.token("viewer"), "dead-letters?schedule=invoice-close")) {
      console
          .sees("billing.invalid")
          .clicks(".cause-count")
          .sees("td[data-column=schedule]", "invoice-close");
      assertThat(
              console
                  .evaluate("document.querySelectorAll('.cause button:not(.sort)').length")
                  .asInt())
          .isZero();
    }
  }

  @Test
  void markup_in_failures_is_shown_as_text() {
    new Worker(server, "hostile-letter")
        .asksAndFails("{}", Seed.HOSTILE, Seed.HOSTILE, Seed.HOSTILE);
    try (var console = at("dead-letters?target=hostile-letter")) {
      console.sees(".cause h2", Seed.HOSTILE).clicks(".cause-count");
      console.sees("td[data-column=message]", Seed.HOSTILE);
      assertThat(console.evaluate("document.querySelectorAll('main img').length").asInt()).isZero();
      console.isTitled("Dead letters · Carillon");
    }
  }

  @Test
  void it_is_accessible_in_both_themes_and_fits_every_width() {
    dies("looks", 4);
    try (var console = at("dead-letters")) {
      console.sees(".cause-head", "is full").clicks(".cause-count");
      console.sees("td[data-column=schedule]", "");
      for (String theme : new String[] {"light", "dark"}) {
        console.prefers(theme).isWide(1280).isAccessible();
        console.isPhotographed(Path.of("target/screenshots/dead-letters-" + theme + ".png"));
        console.isWide(390).fitsItsWidth().isWide(1280).fitsItsWidth();
      }
      console.isWide(390).isPhotographed(Path.of("target/screenshots/dead-letters-390.png"));
    }
  }
}
