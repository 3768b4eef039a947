package dev.carillon.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithConsole.class)
class RunTest {
  private static final String HOSTILE = Seed.HOSTILE;
  private static final String PAYLOAD = "{\"ledger\": \"eu\", \"day\": \"2026-11-16\"}";

  private final RealServer server;
  private final Chromium browser;

  RunTest(RealServer server, Chromium browser) {
    this.server = server;
    this.browser = browser;
  }

  private Console at(String id) {
    return new Console(browser, server.url()).signedIn(RealServer.ADMIN, "run?id=" + id);
  }

  private String failed(String target) {
    return new Worker(server, target)
        .asksAndFails(PAYLOAD, "http_503", "maintenance", "{\\\"error\\\": \\\"maintenance\\\"}");
  }

  @Test
  void a_run_tells_its_story_attempt_by_attempt() {
    var worker = new Worker(server, "ledger");
    String id =
        worker.asks(
            PAYLOAD, ", \"retry\": {\"attempts\": 2, \"backoff\": \"PT0.1S\", \"factor\": 1.0}");
    worker.fails("http_503", "maintenance", "the body of the answer");
    worker.fails("http_503", "still in maintenance", "the body of the answer");
    server.once("/runs/" + id, run -> run.path("state").asText().equals("failed"));
    try (var console = at(id)) {
      console
          .sees(".steps", "Attempt 1 failed: http_503, maintenance.")
          .sees(".steps", "Again after");
      console.sees(".steps", "Attempt 2 failed: http_503, still in maintenance.");
      console.sees(".steps", "Given up: a dead letter.").sees("attempt 2 of 2");
      console.sees(".failed", "the body of the answer").sees(".code", "\"ledger\": \"eu\"");
      console.sees(".run-head", id).sees("dl.facts", "without a schedule");
      console.until("document.title.startsWith('ledger, ')");
    }
  }

  @Test
  void a_run_at_work_ends_before_the_eyes() {
    var worker = new Worker(server, "at-work");
    String id = worker.asks(PAYLOAD, "");
    JsonNode claim = worker.fetches();
    try (var console = at(id)) {
      console.sees("h1", "running").sees(".steps", "At work").sees(".live-state", "live");
      worker.says(claim, "\"outcome\": \"succeeded\"");
      console.sees("h1", "succeeded").sees(".steps", "Succeeded after").seesNo("button.danger");
    }
  }

  @Test
  void a_waiting_run_is_canceled_with_a_reason_which_its_story_tells() {
    String id = new Worker(server, "not-fetched").asks(PAYLOAD, "");
    try (var console = at(id)) {
      console.sees(".steps", "Waits for its turn");
      console.clicksText("Cancel…").types("#ask-reason", "ordered twice").presses("Enter");
      console.sees(".toasts", "Canceled.").sees(".steps", "Canceled: ordered twice.");
    }
  }

  @Test
  void a_failed_run_runs_again_and_that_can_be_taken_back() {
    String id = failed("again");
    try (var console = at(id)) {
      console.clicksText("Run again").sees(".toasts", "again runs again.").sees("h1", "waiting");
      console.clicksText("Undo").sees(".toasts", "Taken back.").sees("h1", "canceled");
    }
  }

  @Test
  void another_payload_is_checked_in_the_dialog_before_the_run_goes_again() {
    String id = failed("edited");
    try (var console = at(id)) {
      console.clicksText("Edit and run again…").sees("dialog", "under its idempotency key");
      console.evaluate("document.querySelector('#ask-payload').value = '{\"day\": '");
      console.clicks("dialog [type=submit]").sees(".field-error", "this is no JSON");
      console.evaluate("document.querySelector('#ask-payload').value = '[1]'");
      console.clicks("dialog [type=submit]").sees(".field-error", "must be a JSON object");
      console.evaluate(
          "document.querySelector('#ask-payload').value = '{\"day\": \"2026-11-17\"}'");
      console.clicks("dialog [type=submit]").sees(".toasts", "edited runs again.");
      console.sees(".code", "2026-11-17");
    }
    assertThat(server.get("/runs/" + id).at("/payload/day").asText()).isEqualTo("2026-11-17");
  }

  @Test
  void the_runs_before_and_after_are_a_key_away() {
    JsonNode runs = server.get("/runs?schedule=search-index&state=succeeded&limit=3").path("items");
    String middle = runs.at("/1/id").asText();
    try (var console = at(middle)) {
      console.sees(".neighbors", "←").sees(".neighbors", "→").presses("[");
      console.isAt("/console/run?id=" + runs.at("/2/id").asText()).sees(".neighbors", "→");
      console.presses("]").isAt("/console/run?id=" + middle);
      console
          .sees(".neighbors", "←")
          .clicks("a[rel=next]")
          .isAt("/console/run?id=" + runs.at("/0/id").asText());
      console.goesBack().isAt("/console/run?id=" + middle);
    }
  }

  @Test
  void the_command_to_do_it_once_more_is_copied_and_works_with_quotes() {
    String id = new Worker(server, "quoted").asks("{\"to\": \"o'hara\"}", "");
    try (var console = at(id)) {
      console.sees("h1", "quoted");
      console.evaluate(
          "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }");
      console.clicksText("Copy as curl").sees(".toasts", "Copied the command.");
      assertThat(console.evaluate("window.copied").asText())
          .startsWith("curl -X POST")
          .contains("/api/v1/runs'", "$CARILLON_TOKEN", "o'\\''hara");
      console.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('no'))");
      console.clicksText("Copy as curl").sees("dialog", "copy it yourself");
    }
  }

  @Test
  void a_run_of_a_schedule_says_why_it_was_then() {
    String id =
        server
            .once(
                "/runs?schedule=thumbnails&trigger=scheduled&planned=true",
                page -> page.path("items").size() >= 1)
            .at("/items/0/id")
            .asText();
    try (var console = at(id)) {
      console.sees(".why", "The timing 'Every minute").sees(".why", "Version 1 ");
    }
  }

  @Test
  void a_message_of_many_thousand_letters_leaves_room_for_the_rest() {
    String id =
        new Worker(server, "talks-much")
            .asksAndFails(
                "{}", "long", "much ".repeat(600), "\\u0003".repeat(9) + "z".repeat(9000));
    try (var console = at(id)) {
      console.sees(".steps", "much").sees(".failed pre", "much").fitsItsWidth();
      assertThat(console.evaluate("document.documentElement.scrollHeight").asInt())
          .isLessThan(2000);
      console.isWide(390).fitsItsWidth();
    }
  }

  @Test
  void an_unknown_run_says_so() {
    try (var console = at("00000000-0000-8000-8000-000000000000").expectingRefusal(404)) {
      console.sees("There is no such run.").clicksText("To the runs").isAt("/console/runs");
    }
  }

  @Test
  void a_viewer_sees_no_action() {
    String id = failed("looked-at");
    try (var console =
        new Console(browser, server.url()).signedIn(server.token("viewer"), "run?id=" + id)) {
      console.sees(".steps", "Given up");
      assertThat(
              console
                  .evaluate(
                      "[...document.querySelectorAll('run-view button')].map(b => b.textContent.trim()).join()")
                  .asText())
          .isEqualTo("Copy as curl");
    }
  }

  @Test
  void markup_in_payload_failure_reason_and_names_is_shown_as_text() {
    var worker = new Worker(server, "hostile-run");
    String id =
        worker.asks(
            "{\"%1$s\": \"%1$s\"}".formatted(HOSTILE),
            ", \"correlation\": \"%1$s\", \"description\": \"%1$s\", \"retry\": {\"attempts\": 1}"
                .formatted(HOSTILE));
    worker.fails(HOSTILE, HOSTILE, HOSTILE);
    server.once("/runs/" + id, run -> run.path("state").asText().equals("failed"));
    server.post(
        "/dead-letters/dismiss", "{\"ids\": [\"%s\"], \"reason\": \"%s\"}".formatted(id, HOSTILE));
    try (var console = at(id)) {
      console.sees(".code", HOSTILE).sees("dl.facts", HOSTILE).sees(".steps", HOSTILE);
      console.sees(".failed", HOSTILE);
      assertThat(console.evaluate("document.querySelectorAll('main img').length").asInt()).isZero();
    }
  }

  @Test
  void it_is_accessible_in_both_themes_and_fits_every_width() {
    String id = failed("looks");
    try (var console = at(id)) {
      for (String theme : new String[] {"light", "dark"}) {
        console.prefers(theme).isWide(1280).sees(".steps", "Given up").isAccessible();
        console.isPhotographed(Path.of("target/screenshots/run-" + theme + ".png"));
        for (int width : new int[] {390, 1280}) {
          console.isWide(width).fitsItsWidth();
        }
      }
      console.isWide(390).isPhotographed(Path.of("target/screenshots/run-390.png"));
    }
  }
}
