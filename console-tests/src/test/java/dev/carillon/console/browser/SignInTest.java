package dev.carillon.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithConsole.class)
class SignInTest {
  private final RealServer server;
  private final Chromium browser;

  SignInTest(RealServer server, Chromium browser) {
    this.server = server;
    this.browser = browser;
  }

  private Console console() {
    return new Console(browser, server.url()).expectingRefusal(401);
  }

  @Test
  void a_link_signs_in_once_and_leaves_no_code_in_the_address() {
    String link = server.link();
    try (var console = console()) {
      console.opens(link).sees("sign-in link · admin").isAt("/console/now");
    }
    try (var console = console()) {
      console.opens(link).sees("The link is unknown, was used").isAt("/console/sign-in");
    }
  }

  @Test
  void a_token_signs_in_with_its_role_and_a_wrong_one_is_told_why_not() {
    try (var console = console()) {
      console
          .opens("/")
          .isTitled("Sign in · Carillon")
          .types("#token", "crl_wrong")
          .presses("Enter");
      console.sees("The token is unknown, expired or revoked").isAccessible();
      console.clicks("#token").evaluate("document.querySelector('#token').value = ''");
      console.types("#token", server.token("viewer")).presses("Enter");
      console.sees("viewer · viewer").isTitled("Now · Carillon");
    }
  }

  @Test
  void signing_out_ends_the_session_for_every_tab() {
    try (var console = console()) {
      console.signedIn(RealServer.ADMIN, "runs").sees("admin · admin");
      try (var other = console.opensAnotherTab()) {
        other.opens("/console/nodes").sees("answers you").sees(".live-state", "live");
        console.clicksText("Sign out").sees("Sign in to Carillon");
        other.sees("Sign in to Carillon");
        console.types("#token", RealServer.ADMIN).presses("Enter");
        console.sees("fx-rates");
        other.sees("answers you");
      }
      console.clicksText("Sign out").sees("Sign in to Carillon");
      console.opens("/console/runs").sees("Sign in to Carillon");
    }
  }

  @Test
  void what_was_not_saved_goes_with_whoever_signs_out() {
    try (var console = console().signedIn(RealServer.ADMIN, "editor").sees("admin · admin")) {
      console.until("document.activeElement.id === 'edit-key'");
      console.types("#edit-key", "secret-plans").clicksText("Sign out");
      console.sees("Sign in to Carillon").types("#token", RealServer.ADMIN).presses("Enter");
      console.sees("admin · admin").until("document.activeElement.id === 'edit-key'");
      assertThat(console.evaluate("sessionStorage.length").asInt()).isZero();
      assertThat(console.evaluate("document.querySelector('#edit-key').value").asText()).isEmpty();
    }
  }

  @Test
  void signing_out_ends_the_session_on_the_server_too() {
    try (var console = console().signedIn(RealServer.ADMIN, "runs").sees("admin · admin")) {
      String cookie = console.cookies();
      assertThat(server.status("/me", cookie)).isEqualTo(200);
      console.clicksText("Sign out").sees("Sign in to Carillon");
      assertThat(server.status("/me", cookie)).isEqualTo(401);
    }
  }

  @Test
  void a_session_ends_with_its_token_and_the_page_is_where_it_was_after_another_sign_in() {
    String token =
        server
            .post(
                "/tokens",
                "{\"name\": \"short\", \"roles\": [\"viewer\"], \"expiresIn\": \"PT5S\"}")
            .path("token")
            .asText();
    try (var console = console().signedIn(token, "runs?state=failed")) {
      console.sees("short · viewer").sees("Sign in to Carillon");
      console.types("#token", RealServer.ADMIN).presses("Enter");
      console.isAt("/console/runs?state=failed").sees("status: failed");
    }
  }

  /* As if it had expired: the page does not know. */
  private static void endsItsSession(Console console) {
    console.evaluate(
        "fetch('/api/v1/session', {method: 'DELETE', headers: {'X-Carillon-Console': '1'}})");
  }

  @Test
  void what_was_typed_is_still_there_after_a_session_ended_and_another_sign_in() {
    try (var console = console().signedIn(RealServer.ADMIN, "calendars?new=typed")) {
      console.types("#calendar-description", "half a form");
      endsItsSession(console);
      console.clicksText("Show what changes").sees(".again", "what you typed is kept");
      assertThat(console.evaluate("getComputedStyle(document.querySelector('.app')).visibility"))
          .hasToString("\"hidden\"");
      console.presses("Escape").presses("Escape").isAccessible();
      console.types("#token", RealServer.ADMIN).presses("Enter").seesNo(".again");
      console.clicksText("Show what changes").clicksText("Save version 1");
      console.isAt("/console/calendar?name=typed").sees("half a form");
    }
  }

  @Test
  void a_dialog_is_still_open_after_a_session_ended_and_another_sign_in() {
    try (var console = console().signedIn(RealServer.ADMIN, "calendars")) {
      console.clicks(".freeze-now").types("#ask-reason", "half a dialog");
      console.types("#ask-tags", "nothing-has-it").clicks(".ask-often button");
      endsItsSession(console);
      console.clicks(".ask [type=submit]").types("#token", RealServer.ADMIN).presses("Enter");
      console.seesNo(".again").clicks(".ask [type=submit]").sees(".frozen", "half a dialog");
    }
  }

  @Test
  void who_may_see_less_finds_nothing_of_what_another_typed() {
    try (var console = console().signedIn(RealServer.ADMIN, "calendars?new=secret")) {
      console.types("#calendar-description", "not for viewers");
      endsItsSession(console);
      console.clicksText("Show what changes").sees(".again", "Your session is over.");
      console.types("#token", server.token("viewer")).presses("Enter").sees("viewer · viewer");
      console.seesNo("#calendar-description");
    }
  }

  @Test
  void a_page_of_another_site_changes_nothing_and_reads_nothing() throws IOException {
    try (var console = console().signedIn(RealServer.ADMIN, "runs");
        var evil = new OtherSite()) {
      console.sees("admin · admin");
      String run = server.url() + "/api/v1/schedules/fx-rates/run";
      int before = runs();
      console.expectingComplaints("CORS", "Failed to load resource", "blocked").opens(evil.url());
      console.evaluate(
          "fetch('%s', {method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}'}).catch(() => {})"
              .formatted(run));
      console.evaluate(
          "fetch('%s', {method: 'POST', credentials: 'include', headers: {'X-Carillon-Console': '1', 'Content-Type': 'application/json'}, body: '{}'}).catch(() => {})"
              .formatted(run));
      assertThat(
              console
                  .evaluate(
                      "fetch('%s/api/v1/me', {credentials: 'include'}).then(r => r.text()).catch(() => 'nothing')"
                          .formatted(server.url()))
                  .asText())
          .isEqualTo("nothing");
      assertThat(runs()).isEqualTo(before);
    }
  }

  private int runs() {
    return server.get("/runs?schedule=fx-rates&trigger=manual&limit=500").path("items").size();
  }

  @Test
  void scripts_of_the_page_do_not_see_the_cookie() {
    try (var console = console().signedIn(RealServer.ADMIN, "runs")) {
      console.sees("admin · admin");
      assertThat(console.evaluate("document.cookie").asText()).isEmpty();
      assertThat(console.evaluate("JSON.stringify([localStorage, sessionStorage])").asText())
          .doesNotContain("crs_", RealServer.ADMIN);
    }
  }

  @Test
  void a_deep_link_leads_to_its_place_after_the_sign_in() {
    try (var console = console()) {
      console
          .signedIn(RealServer.ADMIN, "runs?state=failed")
          .sees("status: failed")
          .isAt("/console/runs?state=failed");
    }
  }

  @Test
  void under_the_prefix_of_a_proxy_everything_works() {
    try (var proxy = new PrefixProxy(server.url());
        var console = new Console(browser, proxy.url()).expectingRefusal(401)) {
      console.opens("/").isAt("/carillon/console/");
      console.types("#token", RealServer.ADMIN).presses("Enter");
      console.isAt("/carillon/console/now").sees("needs you").sees(".live-state", "live");
      console.clicksText("Nodes").isAt("/carillon/console/nodes").sees("answers you");
      console.opens("/console/runs?state=failed").sees("status: failed").sees("invoice-close");
    }
  }
}
