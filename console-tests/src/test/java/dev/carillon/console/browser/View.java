package dev.carillon.console.browser;

import static dev.carillon.console.browser.HostileTexts.MARKUP;
import static dev.carillon.console.browser.HostileTexts.NAME;
import static dev.carillon.console.browser.HostileTexts.PLAIN;
import static dev.carillon.console.browser.HostileTexts.encoded;

import java.util.List;

/** Every view of the console, as a server with {@link HostileTexts} fills it. */
enum View {
  NOW("now", NAME, MARKUP),
  SCHEDULES("schedules", NAME, MARKUP),
  SCHEDULE("schedule?key=" + encoded(NAME), NAME, MARKUP),
  EDITOR("editor?key=" + encoded(NAME), "unchanged"),
  NEW_SCHEDULE("editor", "Save version 1"),
  RUNS("runs", NAME, MARKUP),
  RUN("run?id=RUN", NAME, MARKUP, "Why it failed"),
  TIMELINE("timeline", NAME),
  FORECAST("forecast", "the next 24 hours"),
  DEAD_LETTERS("dead-letters?schedule=" + encoded(NAME), NAME, MARKUP),
  CALENDARS("calendars", PLAIN, MARKUP),
  CALENDAR("calendar?name=" + PLAIN + "&year=2026&day=2026-12-24", PLAIN, MARKUP),
  CALENDAR_MONTH("calendar?name=" + PLAIN + "&month=2026-12", MARKUP),
  CALENDAR_EDITOR("calendar?name=" + PLAIN + "&edit=1", "will become version 2"),
  TARGETS("targets", NAME, "hostile.invalid"),
  WORKFLOWS("workflows", NAME),
  WORKFLOW("workflow?id=" + encoded(NAME), NAME, MARKUP),
  NODES("nodes", NAME, "answers you"),
  AUDIT("audit", NAME, MARKUP),
  TOKENS("tokens", MARKUP);

  private final String address;

  /** What is to be seen once it is loaded. */
  final List<String> texts;

  View(String address, String... texts) {
    this.address = address;
    this.texts = List.of(texts);
  }

  /** Return its name in the address. */
  String path() {
    return address.split("\\?", 2)[0];
  }

  /** Return its address, where {@code run} is the run to look at. */
  String address(String run) {
    return address.replace("RUN", run);
  }
}
