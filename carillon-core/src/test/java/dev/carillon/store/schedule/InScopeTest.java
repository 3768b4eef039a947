package dev.carillon.store.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.Scope;
import dev.carillon.store.jdbc.Database;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a scope reaches is the same in Java and in the database. */
@ExtendWith(EmbeddedPostgres.class)
class InScopeTest {
  private static final List<String> TEXTS =
      List.of(
          "a", "A", "ab", "a%", "a_", "%", "_", "\\", "\"", "é", "e\u0301", "a\uD83D\uDD14", "a b");

  private final Database database;

  InScopeTest(DataSource source) {
    database = new Database(source);
  }

  private boolean inScope(Scope scope, String key, String target, List<String> tags) {
    return database.one(
        "judge",
        "select carillon.in_scope(:scope::jsonb, :key::text, :target::text, :tags::text[]) as inside",
        bind ->
            bind.set("scope", scope.json())
                .set("key", key)
                .set("target", target)
                .array("tags", "text", tags, tag -> tag),
        row -> row.flag("inside"));
  }

  @Test
  void every_kind_is_compared_by_case_and_code_point() {
    for (String wanted : TEXTS) {
      var keys = new Scope(List.of(), List.of(), List.of("no", wanted));
      var targets = new Scope(List.of("no", wanted), List.of(), List.of());
      var tags = new Scope(List.of(), List.of("no", wanted), List.of());
      for (String given : TEXTS) {
        String what = wanted + " and " + given;
        assertThat(inScope(keys, given, "t", List.of()))
            .as(what)
            .isEqualTo(keys.admits(given, "t", List.of()))
            .isEqualTo(given.startsWith(wanted));
        assertThat(inScope(targets, "k", given, List.of()))
            .as(what)
            .isEqualTo(targets.admits("k", given, List.of()))
            .isEqualTo(given.equals(wanted));
        assertThat(inScope(tags, "k", "t", List.of("x", given)))
            .as(what)
            .isEqualTo(tags.admits("k", "t", List.of("x", given)))
            .isEqualTo(given.equals(wanted));
      }
    }
  }

  @Test
  void all_kinds_that_are_given_must_match() {
    var scope = new Scope(List.of("t"), List.of("x", "y"), List.of("k-"));

    assertThat(inScope(scope, "k-1", "t", List.of("y"))).isTrue();
    assertThat(inScope(scope, "k-1", "t", List.of())).isFalse();
    assertThat(inScope(scope, "k-1", "u", List.of("y"))).isFalse();
    assertThat(inScope(scope, "j-1", "t", List.of("y"))).isFalse();
  }
}
