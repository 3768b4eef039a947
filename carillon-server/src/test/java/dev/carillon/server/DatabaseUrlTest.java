package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseUrlTest {
  @Test
  void libpq_spelling_is_understood() {
    var url =
        DatabaseUrl.parse(
            "postgres://ann:s%40cr%2Fet+1@db.example:6432/my%20bells?sslmode=require");

    assertThat(url.jdbc())
        .isEqualTo("jdbc:postgresql://db.example:6432/my%20bells?sslmode=require");
    assertThat(url.user()).contains("ann");
    assertThat(url.password()).contains("s@cr/et+1");
  }

  @Test
  void jdbc_spelling_is_understood() {
    var url = DatabaseUrl.parse("jdbc:postgresql://db/bells?user=ann&password=p%26q&ssl=true");

    assertThat(url.jdbc()).isEqualTo("jdbc:postgresql://db:5432/bells?ssl=true");
    assertThat(url.user()).contains("ann");
    assertThat(url.password()).contains("p&q");
  }

  @Test
  void what_is_left_out_has_libpqs_defaults() {
    assertThat(DatabaseUrl.parse("postgresql://").jdbc())
        .isEqualTo("jdbc:postgresql://localhost:5432/postgres");
    assertThat(DatabaseUrl.parse("postgresql://ann@").jdbc())
        .isEqualTo("jdbc:postgresql://localhost:5432/ann");
  }

  @Test
  void several_hosts_and_ipv6_are_understood() {
    assertThat(DatabaseUrl.parse("postgresql://ann:p@one,[::1]:6000/bells").hosts())
        .isEqualTo("one:5432,[::1]:6000");
  }

  @Test
  void libpqs_option_names_become_the_drivers() {
    assertThat(DatabaseUrl.parse("postgresql://db/x?application_name=a&connect_timeout=3").jdbc())
        .isEqualTo("jdbc:postgresql://db:5432/x?ApplicationName=a&connectTimeout=3");
  }

  @Test
  void another_database_of_the_same_server_keeps_everything_else() {
    var url = DatabaseUrl.parse("postgresql://ann:secret@db/x?sslmode=require").naming("y");

    assertThat(url.jdbc()).isEqualTo("jdbc:postgresql://db:5432/y?sslmode=require");
    assertThat(url.user()).contains("ann");
    assertThat(url.password()).contains("secret");
  }

  @Test
  void an_account_given_elsewhere_outweighs_the_url() {
    var url =
        DatabaseUrl.parse("postgresql://ann:old@db/x")
            .signingIn(Optional.empty(), Optional.of("new"));

    assertThat(url.user()).contains("ann");
    assertThat(url.password()).contains("new");
  }

  @Test
  void the_password_is_not_shown() {
    var url = DatabaseUrl.parse("postgresql://ann:secret@db/x?password=secret");

    assertThat(url).hasToString("db:5432/x as ann");
    assertThat(url.jdbc()).doesNotContain("secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "db/x",
        "mysql://ann:secret@db/x",
        "http://secret",
        "jdbc:h2:mem:secret",
        "postgresql:secret",
        "postgresql://ann:secret@db:port/x",
        "postgresql://ann:sec/ret@db/x@y:1:2",
        "postgresql://ann:secret@db:99999/x",
        "postgresql://ann:secret%@db/x",
        "postgresql://ann:secret%zz@db/x",
      })
  void other_texts_are_refused_without_repeating_them(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DatabaseUrl.parse(text))
        .satisfies(
            e -> {
              assertThat(e.getMessage()).hasLineCount(1).contains("database URL");
              assertThat(e.toString()).doesNotContain("secret").doesNotContain("sec/ret");
              assertThat(e).hasNoCause();
            });
  }
}
