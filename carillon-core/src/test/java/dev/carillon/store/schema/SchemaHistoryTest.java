package dev.carillon.store.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class SchemaHistoryTest {
  private static final Migration ONE = Migration.of("0001_one.sql", "select 1");
  private static final Migration TWO = Migration.of("0002_two.sql", "-- breaking: no bells\n");

  @Test
  void an_empty_database_starts_with_the_first_migration() {
    var history = new SchemaHistory(List.of(ONE, TWO), List.of());

    assertThat(history.number()).isZero();
    assertThat(history.next()).contains(ONE);
    assertThat(history.refusals("1.0")).isEmpty();
    assertThat(history.notes("1.0")).isEmpty();
  }

  @Test
  void a_database_that_has_all_needs_nothing() {
    var history = new SchemaHistory(List.of(ONE, TWO), List.of(applied(ONE), applied(TWO)));

    assertThat(history.number()).isEqualTo(2);
    assertThat(history.next()).isEmpty();
    assertThat(history.refusals("1.0")).isEmpty();
  }

  @Test
  void a_newer_schema_is_accepted_with_a_note() {
    var other = Migration.of("0002_other.sql", "select 2");
    var history = new SchemaHistory(List.of(ONE), List.of(applied(ONE), applied(other)));

    assertThat(history.refusals("1.0")).isEmpty();
    assertThat(history.next()).isEmpty();
    assertThat(history.notes("1.0"))
        .containsExactly(
            "the schema is newer than Carillon 1.0, which can work with it: it also has"
                + " 0002_other.sql (by Carillon 2.0)");
  }

  @Test
  void a_newer_schema_that_breaks_is_refused() {
    var history = new SchemaHistory(List.of(ONE), List.of(applied(ONE), applied(TWO)));

    assertThat(history.refusals("1.0"))
        .containsExactly(
            "the schema is too new for Carillon 1.0: 0002_two.sql (by Carillon 2.0) changed what"
                + " it relies on; run that version or a later one");
  }

  @Test
  void a_changed_file_is_refused() {
    var changed = Migration.of("0001_one.sql", "select 11");
    var history = new SchemaHistory(List.of(changed), List.of(applied(ONE)));

    assertThat(history.refusals("1.0"))
        .containsExactly(
            "migration 0001_one.sql is not the file that was applied as 0001_one.sql (by Carillon"
                + " 2.0); an applied migration never changes: undo the change and put it into a"
                + " new migration");
  }

  @Test
  void a_gap_in_what_was_applied_is_refused() {
    var history = new SchemaHistory(List.of(ONE, TWO), List.of(applied(TWO)));

    assertThat(history.refusals("1.0"))
        .containsExactly(
            "migration 0001 was never applied though 0002_two.sql was; restore the table"
                + " carillon.migration");
  }

  @Test
  void numbers_are_consecutive() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SchemaHistory(List.of(TWO), List.of()))
        .withMessage("migrations are numbered 1, 2, 3, …; 0002_two.sql should be number 1");
  }

  @Test
  void line_endings_do_not_change_a_checksum() {
    assertThat(Migration.of("0001_one.sql", "a\r\nb").checksum())
        .isEqualTo(Migration.of("0001_one.sql", "a\nb").checksum());
  }

  @Test
  void a_file_needs_a_number_and_a_name() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Migration.of("1-bells.sql", ""))
        .withMessage("a migration is named like 0001_what_it_adds.sql; was 1-bells.sql");
  }

  private static AppliedMigration applied(Migration migration) {
    return new AppliedMigration(
        migration.number(), migration.name(), migration.checksum(), migration.breaking(), "2.0");
  }
}
