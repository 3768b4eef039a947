package dev.carillon.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Takes the pictures of the README and the guide, at the server of a company that has been in use
 * for a year. They are in {@code target/pictures}; with {@code -Dpictures=docs/images} they become
 * those of the documentation.
 */
@ExtendWith(WithConsole.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PicturesTest {
  private static final long MOST_BYTES = 150_000;

  private final Chromium browser;
  private final Path folder =
      Path.of("..").resolve(System.getProperty("pictures", "console-tests/target/pictures"));
  private CompanyServer company;

  PicturesTest(Chromium browser) {
    this.browser = browser;
  }

  @BeforeAll
  void start() throws IOException {
    company = new CompanyServer(0);
  }

  @AfterAll
  void close() {
    company.close();
  }

  private Console at(String view) {
    var console = new Console(browser, company.server().url()).isIn("Europe/Rome");
    return console.prefers("light").signedIn(RealServer.ADMIN, view);
  }

  private String run(String filter) {
    return "run?id=" + company.server().get("/runs?limit=1&" + filter).at("/items/0/id").asText();
  }

  private void picture(Console console, String name, String view, String sees) throws IOException {
    console.opens("/console/" + view).sees(sees);
    photograph(console, name);
  }

  private void photograph(Console console, String name) throws IOException {
    console.seesNo(".skeleton").fitsItsWidth();
    Path file = folder.resolve(name + ".png");
    console.isPhotographed(file);
    SmallPicture.of(file);
    assertThat(Files.size(file)).as(name).isBetween(5_000L, MOST_BYTES);
  }

  @Test
  void now_schedules_and_a_schedule() throws IOException {
    try (var console = at("now")) {
      picture(console, "now", "now", "invoice-close failed 3 times in a row");
      picture(console, "schedules", "schedules", "the auditors are in the house");
      picture(console, "schedule", "schedule?key=invoice-close", "Why did it fail");
      picture(console, "dead-letters", "dead-letters", "no space left on device");
      console.prefers("dark");
      picture(console, "now-dark", "now", "invoice-close failed 3 times in a row");
      picture(console, "run-dark", run("state=failed&schedule=invoice-close"), "Given up");
    }
  }

  @Test
  void the_editor_shows_what_saving_would_change() throws IOException {
    try (var console = at("now")) {
      console.opens("/console/editor?key=stock-levels").sees("Every hour from 08:00 to 17:00");
      console.evaluate(
          "(() => { const f = document.querySelector('#edit-timing-cron'); f.value = '0 8,12,16 * * 1-5'; f.dispatchEvent(new Event('input', {bubbles: true})); })()");
      console.sees(".why", "lost");
      photograph(console, "editor");
    }
  }

  @Test
  void timeline_forecast_and_calendar() throws IOException {
    try (var console = at("timeline")) {
      picture(console, "timeline", "timeline", "thumbnails");
      picture(console, "forecast", "forecast", "The worst minutes");
      picture(console, "calendar", "calendar?name=italy", "business days");
    }
  }

  @Test
  void on_a_phone() throws IOException {
    try (var console = at("now")) {
      console.isWide(390);
      picture(console, "now-390", "now", "invoice-close failed 3 times in a row");
    }
  }

  @Test
  void on_a_phone_nothing_of_the_company_is_wider_than_the_screen() {
    try (var console = at("runs?state=failed").isWide(390)) {
      console.sees("no space left on device").fitsItsWidth();
      console.goesTo("calendar?name=italy").sees("Bring back…").fitsItsWidth();
      console.goesTo("dead-letters").sees("no space left on device").fitsItsWidth();
      console.goesTo("targets").sees("workers fetch its runs").fitsItsWidth();
      console.goesTo("audit").sees("old-newsletter").fitsItsWidth();
      console.goesTo("nodes").sees("billing-2").fitsItsWidth();
      console.goesTo("timeline?span=604800000").sees("thumbnails").fitsItsWidth();
    }
  }
}
