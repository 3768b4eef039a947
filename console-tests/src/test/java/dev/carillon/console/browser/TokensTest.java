package dev.carillon.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithConsole.class)
class TokensTest {
  private final RealServer server;
  private final Chromium browser;

  TokensTest(RealServer server, Chromium browser) {
    this.server = server;
    this.browser = browser;
  }

  private Console at(String view) {
    return new Console(browser, server.url()).signedIn(RealServer.ADMIN, view);
  }

  @Test
  void a_token_is_made_with_role_scope_and_end_shown_once_and_works() {
    String token;
    try (var console = at("tokens")) {
      console
          .clicksText("New token")
          .types("#ask-name", "dashboard")
          .chooses("#ask-role", "viewer");
      console.chooses("#ask-lasts", "P30D").types("#ask-keys", "fx-, search-");
      console.isAccessible().clicksText("Make the token").sees(".ask", "shown this once");
      console.isAccessible();
      token = console.evaluate("document.querySelector('#made-token').value").asText();
      assertThat(token).startsWith("crl_");
      console.clicksText("Done").seesNo(".ask").sees("keys from fx-, search-");
      console.until("document.querySelector('#made-token') === null");
    }
    try (var console = new Console(browser, server.url()).signedIn(token, "runs")) {
      console.sees("dashboard · viewer").sees("fx-rates").seesNoText("invoice-close");
      assertThat(console.evaluate("document.querySelector('nav').innerText").asText())
          .contains("Runs", "Targets", "Audit")
          .doesNotContain("Nodes", "Tokens", "Workflows");
    }
  }

  @Test
  void mistakes_are_told_at_their_fields() {
    try (var console = at("tokens").expectingRefusal(422)) {
      console.clicksText("New token").types("#ask-name", "boss").chooses("#ask-role", "admin");
      console.types("#ask-tags", "finance").clicksText("Make the token");
      console.sees(".ask .field-error", "an administrator makes tokens").isAccessible();
      console.presses("Escape").seesNo(".ask");
    }
  }

  @Test
  void to_revoke_a_token_throws_out_who_uses_it() {
    String token = server.token("operator");
    String id = server.get("/tokens?limit=1").path("items").get(0).path("id").asText();
    try (var victim = new Console(browser, server.url()).signedIn(token, "runs");
        var console = at("tokens")) {
      victim.sees("operator · operator").sees(".live-state", "live");
      console.clicks("tr[data-key='%s'] button".formatted(id)).clicksText("Revoke the token");
      console.sees(".toasts", "is revoked.").sees("tr[data-key='%s']".formatted(id), "revoked");
      console.seesNo("tr[data-key='%s'] button".formatted(id));
      victim.sees("Sign in to Carillon");
    }
  }

  @Test
  void others_than_administrators_are_told_that_it_is_not_theirs() {
    try (var console =
        new Console(browser, server.url()).signedIn(server.token("editor"), "tokens")) {
      console.sees("It needs the role admin; yours is editor.");
      assertThat(console.evaluate("document.querySelector('nav').innerText").asText())
          .doesNotContain("Tokens");
    }
  }
}
