package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.policy.Retry;
import dev.carillon.target.RunContext;
import dev.carillon.target.TransactionalHandler;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handlers whose writes commit with their success, and work enqueued in a caller's transaction. */
@ExtendWith(EmbeddedPostgres.class)
class TransactionsTest {
  private final DataSource postgres;
  private final Belfry belfry;
  private final Psql psql;
  private final RecordingTarget bell = new RecordingTarget();
  private final ManualCarillon node;
  private TransactionalHandler handler = TransactionsTest::ring;

  TransactionsTest(DataSource postgres) {
    this.postgres = postgres;
    belfry = new Belfry(postgres);
    psql = belfry.psql();
    node =
        belfry.node(
            builder ->
                builder
                    .transactionalTarget(
                        "effect", (context, connection) -> handler.run(context, connection))
                    .target("bell", bell));
  }

  @BeforeEach
  void makeEffects() {
    psql.execute("create table if not exists effect (run text)");
    psql.execute("truncate effect");
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private static void ring(RunContext context, Connection connection) throws SQLException {
    try (var statement = connection.prepareStatement("insert into effect values (?)")) {
      statement.setString(1, context.id().toString());
      statement.executeUpdate();
    }
  }

  private List<String> effects() {
    return psql.rows("select run from effect");
  }

  private Run run(RunId id) {
    return node.runs().get(id).orElseThrow();
  }

  private RunId ended(RunDraft draft) {
    RunId id = node.runs().enqueue(draft);
    node.runDue();
    return id;
  }

  @Test
  void the_effect_and_the_success_are_there_together() {
    RunId id = ended(RunDraft.of("effect"));

    assertThat(effects()).containsExactly(id.toString());
    assertThat(run(id).state()).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void neither_is_there_before_the_commit() {
    handler =
        (context, connection) -> {
          ring(context, connection);
          assertThat(effects()).isEmpty();
          assertThat(run(context.id()).state()).isEqualTo(RunState.RUNNING);
        };

    assertThat(run(ended(RunDraft.of("effect"))).state()).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void what_throws_leaves_no_effect() {
    handler =
        (context, connection) -> {
          ring(context, connection);
          throw new IllegalStateException("no rope");
        };
    RunId id = ended(RunDraft.of("effect"));

    assertThat(effects()).isEmpty();
    assertThat(run(id).failure().orElseThrow().message()).isEqualTo("no rope");
  }

  @Test
  void an_error_leaves_no_effect() {
    handler =
        (context, connection) -> {
          ring(context, connection);
          throw new AssertionError("no rope");
        };
    RunId id = ended(RunDraft.of("effect"));

    assertThat(effects()).isEmpty();
    assertThat(run(id).failure().orElseThrow().code()).isEqualTo("AssertionError");
  }

  @Test
  void a_failed_try_is_followed_by_one_whose_effect_is_there_once() {
    handler =
        (context, connection) -> {
          ring(context, connection);
          if (context.attempt() == 1) {
            throw new IllegalStateException("no rope");
          }
        };
    RunId id = ended(RunDraft.of("effect").retry(Retry.times(2)));
    node.pass(Duration.ofSeconds(2));

    assertThat(effects()).containsExactly(id.toString());
    assertThat(run(id).state()).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void a_handler_whose_node_lost_its_lease_meanwhile_leaves_no_effect() {
    var other = belfry.node(builder -> builder.target("bell", bell));
    handler =
        (context, connection) -> {
          ring(context, connection);
          belfry.clock().advance(Duration.ofSeconds(16));
          other.runDue();
        };
    RunId id = node.runs().enqueue(RunDraft.of("effect"));
    node.turn(EngineLoop.CLAIMING);
    node.turn(EngineLoop.COMPLETION);

    assertThat(effects()).isEmpty();
    assertThat(run(id).state()).isEqualTo(RunState.PENDING);
  }

  @Test
  void a_success_that_could_not_be_written_is_tried_again_as_if_its_node_had_died() {
    handler =
        (context, connection) -> {
          ring(context, connection);
          if (context.attempt() == 1) {
            psql.rows("select pg_terminate_backend(?)", backend(connection));
          }
        };
    RunId id = ended(RunDraft.of("effect"));

    assertThat(effects()).containsExactly(id.toString());
    assertThat(run(id).state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(run(id).attempt()).isEqualTo(2);
    assertThat(run(id).attempts().get(0).failure().message())
        .startsWith("the success was not written: ");
  }

  private static int backend(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("select pg_backend_pid()")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  @Test
  void a_handler_that_was_told_to_stop_leaves_no_effect() {
    handler =
        (context, connection) -> {
          ring(context, connection);
          node.runs().cancel(context.id(), "not needed");
          node.turn(EngineLoop.HEARTBEAT);
          assertThat(Thread.interrupted()).isTrue();
        };
    RunId id = ended(RunDraft.of("effect"));

    assertThat(effects()).isEmpty();
    assertThat(run(id).state()).isEqualTo(RunState.CANCELED);
  }

  @Test
  void a_handler_that_swallowed_a_broken_statement_has_failed() {
    handler =
        (context, connection) -> {
          ring(context, connection);
          try (var statement = connection.createStatement()) {
            statement.execute("select 1 / 0");
          } catch (SQLException swallowed) {
            // As careless code would.
          }
        };
    RunId id = ended(RunDraft.of("effect"));

    assertThat(effects()).isEmpty();
    assertThat(run(id).state()).isEqualTo(RunState.FAILED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"commit", "close", "setAutoCommit", "rollback", "abort"})
  void ending_the_transaction_is_refused(String how) {
    handler =
        (context, connection) -> {
          ring(context, connection);
          switch (how) {
            case "commit" -> connection.commit();
            case "close" -> connection.close();
            case "rollback" -> connection.rollback();
            case "abort" -> connection.abort(Runnable::run);
            default -> connection.setAutoCommit(true);
          }
        };
    RunId id = ended(RunDraft.of("effect"));

    assertThat(effects()).isEmpty();
    assertThat(run(id).failure().orElseThrow().message())
        .isEqualTo(
            "a transactional handler does not call %s(): returning commits, throwing rolls back"
                .formatted(how));
  }

  @Test
  void going_back_to_a_savepoint_is_fine() {
    handler =
        (context, connection) -> {
          ring(context, connection);
          var savepoint = connection.setSavepoint();
          ring(context, connection);
          connection.rollback(savepoint);
        };
    RunId id = ended(RunDraft.of("effect"));

    assertThat(effects()).containsExactly(id.toString());
  }

  @Test
  void work_enqueued_on_the_connection_of_a_handler_exists_with_its_success() {
    handler = (context, connection) -> node.runs().enqueue(connection, RunDraft.of("bell"));
    RunId id = ended(RunDraft.of("effect"));

    assertThat(run(id).state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(bell.calls()).hasSize(1);
  }

  @Test
  void work_enqueued_on_the_connection_of_a_handler_that_fails_does_not_exist() {
    handler =
        (context, connection) -> {
          node.runs().enqueue(connection, RunDraft.of("bell"));
          throw new IllegalStateException("no rope");
        };
    RunId id = ended(RunDraft.of("effect"));

    assertThat(run(id).failure().orElseThrow().message()).isEqualTo("no rope");
    assertThat(bell.calls()).isEmpty();
  }

  @Test
  void a_handler_can_use_the_scheduler_as_anybody_can() {
    handler =
        (context, connection) ->
            node.schedules()
                .upsert(ScheduleDraft.named("made").target("bell").in(Duration.ofMinutes(5)));
    RunId id = ended(RunDraft.of("effect"));

    assertThat(run(id).state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(node.schedules().get("made")).isPresent();
  }

  @Test
  void the_end_of_a_transactional_run_retires_its_one_shot() {
    node.schedules().create(ScheduleDraft.named("once").target("effect").in(Duration.ofMinutes(1)));
    node.pass(Duration.ofMinutes(1));

    assertThat(effects()).hasSize(1);
    assertThat(node.schedules().get("once").orElseThrow().status().name()).isEqualTo("RETIRED");
  }

  @Test
  void work_enqueued_in_a_transaction_exists_when_it_commits() throws SQLException {
    RunId id;
    try (Connection connection = postgres.getConnection()) {
      connection.setAutoCommit(false);
      id = node.runs().enqueue(connection, RunDraft.of("bell"));
      node.runDue();
      assertThat(bell.calls()).isEmpty();
      connection.commit();
    }
    node.runDue();

    assertThat(run(id).state()).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void work_enqueued_in_a_transaction_is_gone_when_it_is_rolled_back() throws SQLException {
    RunId id;
    try (Connection connection = postgres.getConnection()) {
      connection.setAutoCommit(false);
      id = node.runs().enqueue(connection, RunDraft.of("bell"));
      connection.rollback();
    }
    node.runDue();

    assertThat(node.runs().get(id)).isEmpty();
    assertThat(bell.calls()).isEmpty();
  }

  @Test
  void work_enqueued_in_a_transaction_leaves_the_connection_as_it_was() throws SQLException {
    try (Connection connection = postgres.getConnection()) {
      connection.setAutoCommit(false);
      node.runs().enqueue(connection, RunDraft.of("bell"));

      assertThat(connection.getAutoCommit()).isFalse();
      assertThat(connection.isClosed()).isFalse();
      connection.rollback();
    }
  }
}
