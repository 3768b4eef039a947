package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.target.RunContext;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
class TransactionalWorkTest {
  private final RecordingTarget ship = new RecordingTarget();
  private final ManualCarillon carillon;

  TransactionalWorkTest(DataSource postgres) {
    carillon =
        ManualCarillon.on(postgres)
            .transactional("confirm", this::confirm)
            .target("ship", ship)
            .start();
  }

  @AfterEach
  void close() {
    carillon.close();
  }

  private void confirm(RunContext run, Connection connection) throws SQLException {
    carillon.runs().enqueue(connection, RunDraft.of("ship").payload("for", run.payload().json()));
    if (run.payload().text("flaw").isPresent()) {
      throw new IllegalStateException("flawed");
    }
  }

  @Test
  void a_transactional_handler_enqueues_more_work_in_its_transaction() {
    carillon.runs().enqueue(RunDraft.of("confirm"));

    carillon.runDue();

    assertThat(ship.calls()).hasSize(1);
  }

  @Test
  void what_a_transactional_handler_enqueued_is_gone_when_it_fails() {
    RunId id = carillon.runs().enqueue(RunDraft.of("confirm").payload("flaw", true));

    carillon.runDue();

    assertThat(carillon.runs().get(id).map(Run::state)).contains(RunState.FAILED);
    assertThat(ship.calls()).isEmpty();
  }
}
