package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
class SignInLinkApiTest {
  @Test
  void a_link_is_good_for_ten_minutes_and_its_token_for_twelve_hours(DataSource source) {
    try (var site = new Site(source)) {
      String late = code(site);
      site.clock.advance(Duration.ofMinutes(10));
      assertThat(exchange(site, late).status()).isEqualTo(401);

      String timely = code(site);
      site.clock.advance(Duration.ofMinutes(10).minusMillis(1));
      Answer session = exchange(site, timely);
      assertThat(session.status()).isEqualTo(201);
      assertThat(session.at("/expiresAt")).isEqualTo("2026-01-01T12:19:59.999Z");
    }
  }

  @Test
  void what_is_no_code_is_refused(DataSource source) {
    try (var site = new Site(source)) {
      assertThat(site.post("/sign-in", "{}").status()).isEqualTo(422);
      assertThat(site.post("/sign-in", "{\"code\": 7}").status()).isEqualTo(422);
      assertThat(exchange(site, "x".repeat(5_000)).status()).isEqualTo(401);
      assertThat(exchange(site, "").status()).isEqualTo(401);
    }
  }

  private static String code(Site site) {
    String path = site.post("/sign-in-links", "").at("/path");
    return path.substring(path.indexOf('#') + 1);
  }

  private static Answer exchange(Site site, String code) {
    return site.post("/sign-in", "{\"code\": \"%s\"}".formatted(code));
  }
}
