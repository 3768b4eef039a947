package dev.carillon.server.signin;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.Request;
import org.junit.jupiter.api.Test;

class SameOriginTest {
  private static Request sent(String method, String site) {
    return Request.of(method, "/api/v1/schedules/one/run").header("Sec-Fetch-Site", site);
  }

  @Test
  void a_certificate_that_a_browser_adds_by_itself_changes_nothing_for_other_sites() {
    for (String site : new String[] {"cross-site", "same-site", "none"}) {
      assertThatThrownBy(() -> SameOrigin.checkUnasked(sent("POST", site)))
          .as(site)
          .isInstanceOf(ProblemException.class);
    }
    assertThatCode(() -> SameOrigin.checkUnasked(sent("POST", "same-origin")))
        .doesNotThrowAnyException();
    assertThatCode(() -> SameOrigin.checkUnasked(sent("GET", "cross-site")))
        .doesNotThrowAnyException();
  }

  @Test
  void programs_tell_no_site() {
    assertThatCode(() -> SameOrigin.checkUnasked(Request.of("POST", "/api/v1/schedules/one/run")))
        .doesNotThrowAnyException();
  }
}
