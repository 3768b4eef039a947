package dev.carillon.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What people come for, from Now: with the mouse, in at most five clicks, as docs/guide/console.md
 * counts them, and by keys alone.
 */
@ExtendWith(WithConsole.class)
@TestInstance(Lifecycle.PER_CLASS)
class FiveJobsTest {
  private static final Path GUIDE = Path.of("../docs/guide/console.md");
  private static final int MOST_CLICKS = 5;

  private final Chromium browser;
  private RealServer server;
  private Console console;

  FiveJobsTest(Chromium browser) {
    this.browser = browser;
  }

  @BeforeAll
  void open() throws IOException {
    server = new RealServer(Files.createTempDirectory("five-jobs"), 0);
    Seed.plant(server);
    console = new Console(browser, server.url()).signedIn(RealServer.ADMIN, "now");
  }

  @AfterAll
  void close() {
    try {
      console.close();
    } finally {
      server.close();
    }
  }

  private Console now() {
    return console.opens("/console/now").sees(".verdict", "invoice-close failed 3 times in a row.");
  }

  /* Tells how many clicks a job took, as the guide says it. */
  private void took(String job, int before) throws IOException {
    int clicks = console.clicks() - before;
    assertThat(clicks).as(job).isBetween(1, MOST_CLICKS);
    assertThat(Files.readString(GUIDE)).contains("| %s | %s |".formatted(job, clicks));
  }

  @Test
  void the_failing_schedule_and_its_cause_are_found() throws IOException {
    int before = now().clicks();
    console.clicksText("invoice-close");
    console.sees(".schedule-key", "invoice-close").sees(".cause", "billing.invalid");
    took("Find the failing schedule and its cause", before);
  }

  @Test
  void the_failing_schedule_and_its_cause_are_found_by_keys() {
    now().tabsTo(".verdict a[href$='key=invoice-close']").presses("Enter");
    console.sees(".schedule-key", "invoice-close").sees(".cause", "billing.invalid");
  }

  @Test
  void why_nothing_ran_at_a_given_time_is_seen() throws IOException {
    int before = now().clicks();
    console.clicksText("Schedules").clicksText("tax-export").clicks("#why-at");
    console.typesInstant(4, 4, 30).presses("Enter");
    console.sees(".why", "audit is on until the first");
    took("See why nothing ran at a given time", before);
  }

  @Test
  void why_nothing_ran_at_a_given_time_is_seen_by_keys() {
    now().presses("/").until("document.activeElement?.matches('.palette input')");
    console.writes("tax-export").sees(".palette li", "schedule").presses("Enter");
    console.sees(".schedule-key", "tax-export").tabsTo("#why-at");
    console.typesInstant(4, 4, 30).presses("Enter");
    console.sees(".why", "audit is on until the first");
  }

  private void define(String key, String tag) {
    server.put(
        "/schedules/" + key,
        "{\"target\": \"noop\", \"timing\": {\"cron\": \"0 14 * * *\", \"zone\": \"Europe/Rome\"}, \"tags\": [\"%s\"]}"
            .formatted(tag));
  }

  private void arePausedUntilMonday(String... keys) {
    String monday =
        console
            .evaluate(
                "(() => { const at = new Date(); at.setHours(0, 0, 0, 0); do at.setDate(at.getDate() + 1); while (at.getDay() !== 1); return at.toISOString(); })()")
            .asText();
    for (String key : keys) {
      JsonNode schedule = server.once("/schedules/" + key, JsonNode::isObject);
      assertThat(schedule.path("status").asText()).isEqualTo("paused");
      assertThat(Instant.parse(schedule.path("pausedUntil").asText()))
          .isEqualTo(Instant.parse(monday));
    }
  }

  @Test
  void a_group_is_paused_until_monday() throws IOException {
    define("payroll-a", "payroll");
    define("payroll-b", "payroll");
    int before = now().clicks();
    console.clicksText("Schedules").sees("payroll-b").clicksText("payroll").isAt("tag=payroll");
    console.seesNoText("fx-rates").clicks("thead input[type=checkbox]").clicksText("Pause…");
    console.sees("dialog", "Pause 2 schedules?").writes("works council").clicksText("Monday");
    console.presses("Enter").sees(".toasts", "2 schedules paused.");
    took("Pause a group until Monday", before);
    arePausedUntilMonday("payroll-a", "payroll-b");
  }

  @Test
  void a_group_is_paused_until_monday_by_keys() {
    define("by-keys-a", "by-keys");
    define("by-keys-b", "by-keys");
    now().presses("g", "s").isAt("/console/schedules").sees("by-keys-b");
    console.tabsTo("[data-filter=tag]").presses("Enter").writes("by-keys").presses("Enter");
    console.isAt("tag=by-keys").seesNoText("fx-rates");
    console.tabsTo("thead input[type=checkbox]").presses(" ").sees(".many", "2 schedules chosen");
    console
        .tabsBackTo(".many > button:first-of-type")
        .presses("Enter")
        .sees("dialog", "Pause 2 schedules?");
    console.writes("works council").tabsTo(".ask-often button:last-child").presses("Enter");
    console.presses("Enter").sees(".toasts", "2 schedules paused.");
    arePausedUntilMonday("by-keys-a", "by-keys-b");
  }

  @Test
  void a_cron_is_changed_and_what_that_changes_is_seen() throws IOException {
    define("changed", "changed");
    int before = now().clicks();
    console.clicksText("Schedules").clicksText("changed").clicksText("Edit");
    console.clicks("#edit-timing-cron").overwrites("0 14 * * 1-5");
    console.sees("[aria-label='What saving changes']", "Lost: Sat").clicksText("Save version 2");
    console.sees("dl.facts", "At 14:00 on weekdays");
    took("Change a cron and see what it changes", before);
  }

  @Test
  void a_cron_is_changed_and_what_that_changes_is_seen_by_keys() {
    define("rekeyed", "rekeyed");
    now().presses("/").until("document.activeElement?.matches('.palette input')");
    console.writes("rekeyed").sees(".palette li", "rekeyed").presses("Enter");
    console.sees(".schedule-key", "rekeyed").presses("/");
    console.until("document.activeElement?.matches('.palette input')").writes("Edit rekeyed");
    console.sees(".palette li", "Edit rekeyed").presses("Enter").isAt("editor?key=rekeyed");
    console.tabsTo("#edit-timing-cron").overwrites("0 14 * * 1-5");
    console.sees("[aria-label='What saving changes']", "Lost: Sat").presses("Enter");
    console.sees("dl.facts", "At 14:00 on weekdays");
  }

  /* Three days of failures, most of them of one cause. */
  private void failed(String name) {
    var worker = new Worker(server, name);
    server.put(
        "/schedules/" + name,
        "{\"target\": \"%s\", \"timing\": {\"every\": \"PT6H\"}, \"overlap\": \"allow\", \"retry\": {\"attempts\": 1}}"
            .formatted(name));
    Instant now = Instant.now();
    int runs =
        server
            .post(
                "/schedules/%s/backfill".formatted(name),
                "{\"from\": \"%s\", \"to\": \"%s\", \"limit\": 20}"
                    .formatted(now.minus(Duration.ofDays(3)), now))
            .path("runs")
            .size();
    for (int i = 0; i < runs; i++) {
      worker.fails(i % 4 == 3 ? "odd" : "no_space", "disk %s is full".formatted(i), "");
    }
    server.once(
        "/dead-letters?target=" + name, page -> page.path("items").size() == runs && runs > 8);
  }

  private List<String> deadOfYesterday(String name) {
    String query =
        console
            .evaluate(
                "(() => { const at = new Date(); at.setHours(0, 0, 0, 0); const to = at.toISOString(); at.setDate(at.getDate() - 1); return `from=${at.toISOString()}&to=${to}`; })()")
            .asText();
    JsonNode dead = server.get("/dead-letters?target=%s&limit=100&%s".formatted(name, query));
    return StreamSupport.stream(dead.path("items").spliterator(), false)
        .filter(run -> run.at("/failure/code").asText().equals("no_space"))
        .map(run -> run.path("id").asText())
        .toList();
  }

  private void onlyTheseRunAgain(String name, List<String> runs, int before) {
    assertThat(runs).hasSizeGreaterThan(1);
    assertThat(deadOfYesterday(name)).isEmpty();
    assertThat(dead(name)).isEqualTo(before - runs.size());
  }

  /* The cause that most runs of a target share, which stands first. */
  private String cause(String target) {
    return console
        .evaluate(
            "[...document.querySelectorAll('[data-cause]')].find(e => e.innerText.includes('target %s')).dataset.cause"
                .formatted(target))
        .asText();
  }

  private int dead(String name) {
    return server.get("/dead-letters?limit=100&target=" + name).path("items").size();
  }

  @Test
  void yesterdays_failures_of_one_cause_are_run_again() throws IOException {
    failed("archive");
    List<String> runs = deadOfYesterday("archive");
    int all = dead("archive");
    int before = now().clicks();
    console.clicksText("Dead letters").clicks("[data-day=yesterday]");
    console.until("location.search.includes('from=')").sees(".cause", "archive");
    console
        .clicks("[data-cause='%s'] .primary".formatted(cause("archive")))
        .sees("dialog", "Run %s dead letters again?".formatted(runs.size()))
        .clicksText("Run %s again".formatted(runs.size()))
        .sees(".toasts", "%s dead letters run again.".formatted(runs.size()));
    took("Re-drive yesterday's failures of one cause", before);
    onlyTheseRunAgain("archive", runs, all);
  }

  @Test
  void yesterdays_failures_of_one_cause_are_run_again_by_keys() {
    failed("vault");
    List<String> runs = deadOfYesterday("vault");
    int all = dead("vault");
    now().presses("g", "d").isAt("/console/dead-letters").sees(".cause", "vault");
    console.tabsTo("[data-filter=target]").presses("Enter").writes("vault").presses("Enter");
    console.isAt("target=vault").tabsTo("[data-day=yesterday]").presses("Enter");
    console.until("location.search.includes('from=')").sees(".cause h2", "is full");
    console.until("document.querySelectorAll('.cause').length === 2");
    console.tabsTo(".cause:first-child .cause-actions .primary").presses("Enter");
    console.sees("dialog", "Run %s dead letters again?".formatted(runs.size())).presses("Enter");
    console.sees(".toasts", "%s dead letters run again.".formatted(runs.size()));
    onlyTheseRunAgain("vault", runs, all);
  }
}
