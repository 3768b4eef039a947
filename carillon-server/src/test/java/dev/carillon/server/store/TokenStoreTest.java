package dev.carillon.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.model.AuditEntry;
import dev.carillon.model.AuditFilter;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Page;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Database;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
class TokenStoreTest {
  private final Instant now = Instant.parse("2026-03-01T00:00:00Z");
  private final ChangedBy ada = new ChangedBy(now, "ada");
  private final byte[] hash = anyHash();
  private final Psql psql;
  private final Database database;
  private final TokenStore tokens;

  TokenStoreTest(DataSource postgres) {
    psql = new Psql(postgres);
    database = new Database(postgres);
    tokens = new TokenStore(database);
  }

  @BeforeEach
  void empty() {
    psql.execute("truncate carillon.api_token, carillon.console_session, carillon.audit");
  }

  private static byte[] anyHash() {
    var bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    return bytes;
  }

  private ApiToken token(Optional<Instant> expiresAt) {
    return tokens.create("ci", hash, List.of("viewer", "operator"), expiresAt, ada).orElseThrow();
  }

  @Test
  void a_token_is_found_by_its_hash() {
    ApiToken token = token(Optional.empty());

    assertThat(token.roles()).containsExactly("viewer", "operator");
    assertThat(token.created()).isEqualTo(ada);
    assertThat(tokens.valid(hash, now)).contains(token);
    assertThat(tokens.valid(anyHash(), now)).isEmpty();
    assertThat(tokens.find(token.id())).contains(token);
    assertThat(tokens.anyValid(now)).isTrue();
  }

  @Test
  void a_token_that_exists_is_not_made_twice() {
    token(Optional.empty());

    assertThat(tokens.create("other", hash, List.of("admin"), Optional.empty(), ada)).isEmpty();
    assertThat(audit()).hasSize(1);
  }

  @Test
  void a_token_ends_when_it_expires() {
    token(Optional.of(now.plusSeconds(60)));

    assertThat(tokens.valid(hash, now.plusSeconds(59))).isPresent();
    assertThat(tokens.valid(hash, now.plusSeconds(60))).isEmpty();
    assertThat(tokens.anyValid(now.plusSeconds(60))).isFalse();
  }

  @Test
  void a_token_ends_at_once_when_it_is_revoked() {
    ApiToken token = token(Optional.empty());

    ApiToken revoked = tokens.revoke(token.id(), new ChangedBy(now, "bob")).orElseThrow();

    assertThat(revoked.revoked()).contains(new ChangedBy(now, "bob"));
    assertThat(tokens.valid(hash, now)).isEmpty();
    assertThat(tokens.anyValid(now)).isFalse();
    assertThat(tokens.revoke(token.id(), ada)).contains(revoked);
    assertThat(tokens.revoke(UUID.randomUUID(), ada)).isEmpty();
    assertThat(audit())
        .extracting(AuditEntry::action)
        .containsExactly("token.revoked", "token.created");
  }

  @Test
  void a_use_is_noted_once_a_minute() {
    ApiToken token = token(Optional.empty());

    tokens.used(token, now);
    tokens.used(token, now.plusSeconds(30));
    assertThat(tokens.find(token.id()).orElseThrow().lastUsedAt()).contains(now);

    tokens.used(tokens.find(token.id()).orElseThrow(), now.plusSeconds(61));
    assertThat(tokens.find(token.id()).orElseThrow().lastUsedAt()).contains(now.plusSeconds(61));
  }

  @Test
  void the_audit_says_what_a_token_allows_and_not_what_it_is() {
    ApiToken token = token(Optional.of(now.plusSeconds(60)));

    assertThat(audit().get(0).details())
        .containsEntry("token", token.id().toString())
        .containsEntry("name", "ci")
        .containsEntry("roles", List.of("viewer", "operator"))
        .containsEntry("expiresAt", "2026-03-01T00:01:00Z")
        .hasSize(4);
    assertThat(audit().get(0).changedBy()).isEqualTo(ada);
  }

  @Test
  void tokens_are_listed_by_page_newest_first() {
    var made = new ArrayList<UUID>();
    for (int i = 0; i < 7; i++) {
      var by = new ChangedBy(now.plus(Duration.ofMinutes(i / 2)), "ada");
      tokens
          .create("t" + i, anyHash(), List.of("viewer"), Optional.empty(), by)
          .ifPresent(token -> made.add(token.id()));
    }

    var listed = new ArrayList<ApiToken>();
    Page<ApiToken> page = tokens.page(Optional.empty(), 3);
    listed.addAll(page.items());
    while (page.next().isPresent()) {
      page = tokens.page(page.next(), 3);
      listed.addAll(page.items());
    }

    assertThat(listed).extracting(ApiToken::id).containsExactlyInAnyOrderElementsOf(made);
    assertThat(listed)
        .extracting(token -> token.created().at())
        .isSortedAccordingTo((one, other) -> other.compareTo(one));
  }

  @Test
  void a_token_without_name_hash_or_role_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tokens.create(" ", hash, List.of("viewer"), Optional.empty(), ada));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tokens.create("a\0", hash, List.of("viewer"), Optional.empty(), ada));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tokens.create("ci", hash, List.of(), Optional.empty(), ada));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> tokens.create("ci", new byte[31], List.of("viewer"), Optional.empty(), ada))
        .withMessage("a token is kept as its SHA-256, which has 32 bytes");
  }

  private List<AuditEntry> audit() {
    return new AuditStore(database).list(AuditFilter.all(), 100);
  }
}
