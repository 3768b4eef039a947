package dev.carillon.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for each view alike, tried where every text that users give is markup. */
@ExtendWith(WithConsole.class)
@TestInstance(Lifecycle.PER_CLASS)
class EveryViewTest {
  private static final String MARKUP_AS_ELEMENTS =
      "document.querySelectorAll('img, marquee, a[href^=\"javascript:\"]').length";

  private final Chromium browser;
  private RealServer server;
  private String run;
  private Console admin;
  private Console viewer;

  EveryViewTest(Chromium browser) {
    this.browser = browser;
  }

  @BeforeAll
  void open() throws IOException {
    server = new RealServer(Files.createTempDirectory("hostile-server"), 0, HostileTexts.NAME);
    Seed.plant(server);
    run = HostileTexts.plant(server);
    admin =
        new Console(browser, server.url())
            .signedIn(HostileTexts.token(server, "admin"), "nodes")
            .sees(".who", HostileTexts.MARKUP);
    viewer = new Console(browser, server.url()).signedIn(server.token("viewer"), "nodes");
  }

  @AfterAll
  void close() {
    try {
      viewer.close();
      admin.close();
    } finally {
      server.close();
    }
  }

  private Console opened(Console console, View view) {
    console.isWide(1280).prefers("light").goesTo(view.address(run));
    view.texts.forEach(text -> console.reads("main", text));
    return console.seesNo(".skeleton").sees(".live-state", "live").sees(".version", "Carillon");
  }

  private static void isPhotographed(Console console, View view, String how) {
    console.isPhotographed(
        Path.of(
            "target/screenshots/every-%s-%s.png"
                .formatted(view, how)
                .toLowerCase(java.util.Locale.ROOT)));
  }

  @ParameterizedTest
  @EnumSource
  void it_is_accessible_in_both_themes(View view) {
    opened(admin, view).isAccessible();
    isPhotographed(admin, view, "light");
    admin.prefers("dark").hasContrast();
    isPhotographed(admin, view, "dark");
  }

  @ParameterizedTest
  @EnumSource
  void it_fits_every_width_and_fingers_reach_everything(View view) {
    opened(admin, view).fitsItsWidth().isWide(390);
    isPhotographed(admin, view, "390");
    admin.fitsItsWidth().isReachedByFingers();
  }

  @ParameterizedTest
  @EnumSource
  void markup_is_shown_as_text(View view) {
    opened(admin, view);
    assertThat(admin.evaluate(MARKUP_AS_ELEMENTS).asInt()).isZero();
    assertThat(admin.evaluate("document.title").asText()).isNotEqualTo("hacked");
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TOKENS")
  void a_viewer_finds_no_button_that_fails(View view) {
    viewer.goesTo(view.address(run)).seesNo(".skeleton");
    viewer.until("document.querySelector('main > :not(.bar)')?.innerText.length > 40");
    viewer.triesEveryButton().isQuiet();
  }

  @Test
  void all_views_are_here() {
    String paths =
        admin
            .evaluate(
                "import(document.querySelector('script[src]').src.replace('app/main.js', 'views/list.js')).then(m => m.views.map(v => v.path).join())")
            .asText();
    assertThat(Arrays.stream(View.values()).map(View::path).collect(Collectors.toSet()))
        .containsExactlyInAnyOrder(paths.split(","));
  }

  @Test
  void all_views_work_under_the_prefix_of_a_proxy() {
    try (var proxy = new PrefixProxy(server.url());
        var console = new Console(browser, proxy.url()).signedIn(RealServer.ADMIN, "nodes")) {
      for (View view : View.values()) {
        opened(console, view);
        assertThat(
                console
                    .evaluate(
                        "[...document.querySelectorAll('main a[href], nav a[href]')].map(a => a.href).filter(h => h.startsWith).filter(h => h.startsWith(location.origin) && !h.startsWith(location.origin + '/carillon/'))")
                    .isEmpty())
            .as("links of " + view + " below the prefix")
            .isTrue();
      }
    }
  }
}
