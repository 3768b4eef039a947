package dev.carillon.console.browser;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithConsole.class)
class AuditViewTest {
  private final RealServer server;
  private final Chromium browser;

  AuditViewTest(RealServer server, Chromium browser) {
    this.server = server;
    this.browser = browser;
  }

  private Console at(String view) {
    return new Console(browser, server.url()).signedIn(RealServer.ADMIN, view);
  }

  @Test
  void changes_say_who_did_what_and_lead_to_more_of_the_same() {
    try (var console = at("audit?schedule=tax-export")) {
      console.sees("paused the schedule").sees("audit is on until the first");
      console.clicks("td[data-column=action] a").sees("action: schedule.paused");
      console.isAt("/console/audit?schedule=tax-export&action=schedule.paused");
      console.seesNoText("created the schedule");
      console.clicks(".filter[data-filter=schedule]").isAt("/console/audit?action=schedule.paused");
      console.goesBack().isAt("?schedule=tax-export&action=schedule.paused");
    }
  }

  @Test
  void what_was_done_meanwhile_appears() {
    try (var console = at("audit?schedule=dunning")) {
      console.sees("created the schedule").sees(".live-state", "live");
      server.post("/schedules/dunning/pause", "{\"reason\": \"the mail server moves\"}");
      console.sees("the mail server moves");
      server.post("/schedules/dunning/resume", "");
    }
  }

  @Test
  void a_filter_that_finds_nothing_says_so() {
    try (var console = at("audit?actor=nobody-at-all")) {
      console.sees("Nothing in the audit is like that.").clicksText("Show all");
      console.isAt("/console/audit").sees("signed in");
    }
  }
}
