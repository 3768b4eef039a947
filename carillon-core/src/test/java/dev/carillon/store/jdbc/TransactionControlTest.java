package dev.carillon.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionControlTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "commit",
        " COMMIT work;",
        "-- done\n/* all\n of it */ ; Commit and chain",
        "end",
        "abort",
        "rollback",
        "rollback;",
        "ROLLBACK WORK",
        "rollback transaction and no chain",
        "prepare  transaction 'x'"
      })
  void what_ends_a_transaction_is_recognized(String sql) {
    assertThat(TransactionControl.ending(sql)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-- commit",
        "insert into commits values ('commit')",
        "commits",
        "endless",
        "savepoint rollback",
        "rollback to half",
        "rollback work to savepoint half",
        "rollback transaction TO half",
        "prepare x as select 1",
        "/* commit */ select 1"
      })
  void what_does_not_is_left_alone(String sql) {
    assertThat(TransactionControl.ending(sql)).isEmpty();
  }
}
