package dev.carillon.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithConsole.class)
class TimelineTest {
  private static final String LISTS =
      "performance.getEntriesByType('resource').filter(e => e.name.includes('/runs?')).length";

  private final RealServer server;
  private final Chromium browser;

  TimelineTest(RealServer server, Chromium browser) {
    this.server = server;
    this.browser = browser;
  }

  private Console at(String view) {
    return new Console(browser, server.url()).signedIn(RealServer.ADMIN, view);
  }

  @Test
  void past_runs_are_filled_and_slots_to_come_are_outlines() {
    try (var console = at("timeline")) {
      console.sees(".tl-key", "fx-rates").sees(".tl-key", "invoice-close").sees("to come");
      console.until("document.querySelectorAll('.bars a .fill-ok').length >= 24");
      console.until("document.querySelectorAll('.bars a .fill-bad').length >= 3");
      console.until("document.querySelectorAll('.bars .outline').length >= 10");
      console.until("document.querySelector('.now-line') !== null").isTitled("Timeline · Carillon");
    }
  }

  @Test
  void keys_pan_and_zoom_and_the_address_has_it() {
    try (var console = at("timeline?schedule=fx-rates")) {
      console.sees(".tl-key", "fx-rates").evaluate("document.querySelector('.tl').focus()");
      console.presses("-").until("location.search.includes('span=10800000')");
      console
          .presses("ArrowRight")
          .until("location.search.includes('from=')")
          .sees(".tl-key", "fx-rates");
      String there = console.address();
      console.opens(there.substring(there.indexOf("/console"))).sees(".tl-key", "fx-rates");
      console.evaluate("document.querySelector('.tl').focus()");
      console.presses("+").until("location.search.includes('span=3600000')");
      console.clicksText("Now").until("!location.search.includes('from=')");
    }
  }

  @Test
  void the_mouse_pans_by_dragging_and_does_not_open_what_it_drags() {
    try (var console = at("timeline?schedule=fx-rates")) {
      console.sees(".tl-key", "fx-rates").drags(".tl-axis svg", -200);
      console.until(
          "new URLSearchParams(location.search).get('from') > new Date(Date.now() - 25 * 60000).toISOString()");
      console.until("location.pathname.endsWith('/timeline')");
    }
  }

  @Test
  void while_it_is_dragged_nothing_is_asked() {
    try (var console = at("timeline?schedule=fx-rates")) {
      console.sees(".tl-key", "fx-rates");
      console.evaluate("performance.clearResourceTimings()");
      console.evaluate(
          """
          (() => {
            const chart = document.querySelector('.tl');
            const moves = (type, x) => chart.dispatchEvent(
                new PointerEvent(type, {bubbles: true, button: 0, buttons: 1, clientX: x}));
            moves('pointerdown', 900);
            let x = 900;
            const timer = setInterval(() => {
              moves('pointermove', (x -= 10));
              if (x <= 300) clearInterval(timer), (window.dragged = true);
            }, 8);
          })()
          """);
      console.until("window.dragged").until(LISTS + " > 0");
      assertThat(console.evaluate(LISTS).asInt()).isLessThan(15);
    }
  }

  @Test
  void more_slots_than_can_be_drawn_are_told() {
    server.put(
        "/schedules/often",
        """
        {"target": "noop", "timing": {"every": "PT10S"}, "window": {"from": "2030-01-01T00:00:00Z"}}
        """);
    try (var console = at("timeline?schedule=often&from=2030-01-02T00:00:00Z")) {
      console.sees("360 slots to come").seesNo(".tl-more").clicks("[aria-label='Zoom out']");
      console.sees(".tl-more", "Slots after");
    }
  }

  @Test
  void any_time_in_the_address_has_a_window() {
    try (var console = new Console(browser, server.url()).isIn("UTC")) {
      console.signedIn(RealServer.ADMIN, "timeline?from=1970-01-01T00:00:00Z&span=604800000");
      console.sees("Thu 1 Jan to Thu 8 Jan 1970").sees("Nothing ran or will run in this window.");
      for (String from : new String[] {"9999-12-31T23:59:59Z", "%2B275760-09-13T00:00:00Z"}) {
        console.goesTo("timeline?from=" + from).sees("24 Dec 9999");
        console.sees("Nothing ran or will run in this window.");
      }
      console.goesTo("timeline?from=nonsense&span=-1").sees(".tl-key", "fx-rates");
    }
  }

  @Test
  void a_bar_leads_to_its_run() {
    try (var console = at("timeline?schedule=invoice-close")) {
      console
          .clicks(".bars a .fill-bad")
          .until("location.pathname.endsWith('/console/run')")
          .sees(".steps", "failed");
    }
  }

  @Test
  void a_run_at_work_appears_by_itself() {
    var worker = new Worker(server, "lathe");
    try (var console = at("timeline?target=lathe")) {
      console.sees("Nothing ran or will run in this window.").sees(".live-state", "live");
      worker.asks("{}", "");
      var claim = worker.fetches();
      console.until("document.querySelector('.bars .fill-run') !== null");
      worker.says(claim, "\"outcome\": \"succeeded\"");
      console.until("document.querySelector('.bars .fill-ok') !== null");
    }
  }

  @Test
  void markup_in_names_is_shown_as_text_and_a_viewer_sees_all_of_it() {
    server.post(
        "/schedules/"
            + java.net.URLEncoder.encode(
                Seed.HOSTILE.replace(" ", "_"), java.nio.charset.StandardCharsets.UTF_8)
            + "/run",
        "");
    try (var console =
        new Console(browser, server.url())
            .signedIn(server.token("viewer"), "timeline?span=86400000")) {
      console.sees(".tl-key", "onerror");
      assertThat(console.evaluate("document.querySelectorAll('main img').length").asInt()).isZero();
      console.isTitled("Timeline · Carillon");
    }
  }

  @Test
  void it_is_accessible_in_both_themes_and_fits_every_width() {
    try (var console = at("timeline")) {
      for (String theme : new String[] {"light", "dark"}) {
        console.prefers(theme).isWide(1280).sees(".tl-key", "fx-rates").isAccessible();
        console.isPhotographed(Path.of("target/screenshots/timeline-" + theme + ".png"));
        console.isWide(390).fitsItsWidth().isWide(1280).fitsItsWidth();
      }
      console.isWide(390).isPhotographed(Path.of("target/screenshots/timeline-390.png"));
    }
  }
}
