package dev.carillon.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SqlTest {
  @Test
  void named_parameters_become_question_marks_in_order() {
    var sql = Sql.parse("select :a, :b where x = :a");

    assertThat(sql).isEqualTo(new Sql("select ?, ? where x = ?", List.of("a", "b", "a")));
  }

  @Test
  void a_name_ends_where_an_identifier_ends() {
    assertThat(Sql.parse("(:leaseUntil)").names()).containsExactly("leaseUntil");
    assertThat(Sql.parse(":last").text()).isEqualTo("?");
  }

  @Test
  void casts_and_array_bounds_are_not_parameters() {
    assertUntouched("select x::bigint, y[1:2], z ::text");
  }

  @Test
  void literals_identifiers_and_comments_are_left_alone() {
    assertUntouched("select ':a', 'it''s :b', \":c\" -- :d?\n, 1 /* :e ? */");
    assertUntouched("do $$ begin x := ':a'; end $$");
    assertUntouched("select $tag$ :a ? $$ :b $tag$");
    assertUntouched("select 'never closed :a");
  }

  @Test
  void a_parameter_may_be_cast() {
    assertThat(Sql.parse("select :at::timestamptz").text()).isEqualTo("select ?::timestamptz");
  }

  @Test
  void an_operator_with_a_question_mark_is_escaped_for_the_driver() {
    assertThat(Sql.parse("payload ? 'x' and y ?| :keys").text())
        .isEqualTo("payload ?? 'x' and y ??| ?");
  }

  @Test
  void a_lone_dollar_is_not_a_quote() {
    assertThat(Sql.parse("select $1, :a").text()).isEqualTo("select $1, ?");
  }

  private static void assertUntouched(String text) {
    assertThat(Sql.parse(text)).isEqualTo(new Sql(text, List.of()));
  }
}
