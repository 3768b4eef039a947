package dev.carillon.console.browser;

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
      console.sees("viewer · viewer").isTitled("Runs · Carillon");
    }
  }

  @Test
  void signing_out_ends_the_session_for_every_tab() {
    try (var console = console()) {
      console.signedIn(RealServer.ADMIN, "runs").sees("admin · admin");
      console.clicksText("Sign out").sees("Sign in to Carillon");
      console.opens("/console/runs").sees("Sign in to Carillon");
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
