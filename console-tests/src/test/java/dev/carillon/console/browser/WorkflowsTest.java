package dev.carillon.console.browser;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithConsole.class)
class WorkflowsTest {
  private final RealServer server;
  private final Chromium browser;

  WorkflowsTest(RealServer server, Chromium browser) {
    this.server = server;
    this.browser = browser;
  }

  private Console at(String view) {
    return new Console(browser, server.url()).signedIn(RealServer.ADMIN, view);
  }

  @Test
  void a_workflow_shows_its_versions_triggers_and_schedules() {
    try (var console = at("workflows")) {
      console.sees("onboarding").clicks("tr[data-key=onboarding] a");
      console.isAt("/console/workflow?id=onboarding").isTitled("onboarding · Carillon");
      console.sees("in force").sees("0 2 * * *").sees("workflow:onboarding:nightly");
      console.clicksText("v1").isAt("/console/workflow?id=onboarding&version=1");
      console.sees("Graph of version 1").sees("0 1 * * *").goesBack().sees("Graph of version 2");
    }
  }

  @Test
  void an_unknown_workflow_says_so() {
    try (var console = at("workflows").expectingRefusal(404)) {
      console.opens("/console/workflow?id=nothing").sees("This could not be loaded.");
    }
  }
}
