package dev.carillon.console.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every scenario fails if the browser reports something; here it is made to. */
@ExtendWith(WithConsole.class)
class BrowserErrorsTest {
  private final RealServer server;
  private final Chromium browser;

  BrowserErrorsTest(RealServer server, Chromium browser) {
    this.server = server;
    this.browser = browser;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "console.error('a mistake'), 0                        | a mistake",
        "setTimeout(() => { throw new Error('thrown') }), 0    | thrown",
        "Promise.reject(new Error('rejected')), 0              | rejected",
        "document.body.setAttribute('style', 'color: red'), 0  | CSP violation: style-src-attr inline",
        "fetch('https://elsewhere.invalid/').catch(() => 0)    | CSP violation: connect-src https://elsewhere.invalid",
        "document.body.append(Object.assign(new Image(), {src: 'https://elsewhere.invalid/x.png'})), 0 | CSP violation: img-src https://elsewhere.invalid",
        "fetch('/api/v1/nothing-here').then(() => 0)           | status of 404",
      })
  void what_the_browser_reports_fails_a_scenario(String mistake, String report) {
    var console = new Console(browser, server.url()).signedIn(RealServer.ADMIN, "nodes");
    console.sees("answers you").isQuiet();
    console.evaluate(mistake);
    console.hears(report);
    assertThatThrownBy(console::close).hasMessageContaining(report);
  }

  @Test
  void the_policy_allows_nothing_but_the_consoles_own() {
    try (var console = new Console(browser, server.url()).signedIn(RealServer.ADMIN, "nodes")) {
      String policy =
          console
              .evaluate("fetch(location.href).then(r => r.headers.get('Content-Security-Policy'))")
              .asText();
      assertThat(policy)
          .contains("default-src 'none'", "frame-ancestors 'none'")
          .doesNotContain("unsafe", "*", "http:", "https:", "data:");
    }
  }
}
