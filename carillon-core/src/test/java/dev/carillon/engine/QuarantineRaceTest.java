package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.testing.ManualCarillon;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A schedule that PostgreSQL refuses to plan is paused, and none that is not to blame. */
@ExtendWith(EmbeddedPostgres.class)
class QuarantineRaceTest {
  /* More than one turn of planning takes while it halves a batch. */
  private static final int MOST_CONNECTIONS = 13;

  private final DataSource postgres;
  private final Belfry belfry;
  private final Psql psql;
  private final ManualCarillon node;

  /* After so many connections, another node locks the cursor of the bad schedule. */
  private int untilTaken = Integer.MAX_VALUE;
  private @Nullable Connection other;

  QuarantineRaceTest(DataSource postgres) {
    this.postgres = postgres;
    belfry = new Belfry(postgres);
    psql = belfry.psql();
    onInsert(
        "if new.target = 'bad' then raise exception 'refused by the test'; end if; return new");
    psql.execute(
        "create trigger refuse_bad before insert on carillon.run for each row execute function carillon.refuse_bad()");
    node =
        belfry.nodeOn(
            watched(), builder -> builder.target("good", run -> {}).target("bad", run -> {}));
  }

  private void onInsert(String action) {
    psql.execute(
        """
        create or replace function carillon.refuse_bad() returns trigger language plpgsql as $$
        begin
          %s;
        end $$
        """
            .formatted(action));
  }

  @AfterEach
  void close() throws SQLException {
    release();
    psql.execute("drop trigger refuse_bad on carillon.run");
    psql.execute("drop function carillon.refuse_bad");
    belfry.close();
  }

  private DataSource watched() {
    return (DataSource)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {DataSource.class},
            (self, method, arguments) -> {
              if (method.getName().equals("getConnection") && untilTaken-- == 0) {
                take();
              }
              try {
                return method.invoke(postgres, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
            });
  }

  private void take() throws SQLException {
    Connection connection = postgres.getConnection();
    other = connection;
    connection.setAutoCommit(false);
    try (var statement = connection.createStatement()) {
      statement.execute(
          """
          select schedule_id
            from carillon.cursor
            join carillon.schedule
              on schedule.id = schedule_id
           where key = 'bad'
             for update of cursor
          """);
    }
  }

  private void release() throws SQLException {
    if (other != null) {
      other.rollback();
      other.close();
      other = null;
    }
  }

  private ScheduleStatus status(String key) {
    return node.schedules().get(key).orElseThrow().status();
  }

  @Test
  void whenever_another_node_takes_the_schedule_to_blame_no_other_is_paused() throws SQLException {
    for (int connections = 1; connections <= MOST_CONNECTIONS; connections++) {
      node.schedules()
          .upsert(ScheduleDraft.named("bad").target("bad").every(Duration.ofSeconds(5)));
      node.schedules()
          .upsert(ScheduleDraft.named("good").target("good").every(Duration.ofSeconds(9)));
      untilTaken = connections;

      node.turn(EngineLoop.PLANNING);

      assertThat(status("good")).as("taken after %s", connections).isEqualTo(ScheduleStatus.ACTIVE);
      untilTaken = Integer.MAX_VALUE;
      release();
      node.runDue();
      assertThat(status("bad")).isEqualTo(ScheduleStatus.PAUSED);
      assertThat(status("good")).isEqualTo(ScheduleStatus.ACTIVE);
      node.schedules().retire("bad");
      node.schedules().retire("good");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0A000", "25P02", "26000", "42501", "42P01"})
  void what_keeps_every_schedule_from_being_planned_pauses_none_and_passes(String state) {
    node.schedules().create(ScheduleDraft.named("a").target("good").every(Duration.ofSeconds(5)));
    node.schedules().create(ScheduleDraft.named("b").target("good").every(Duration.ofSeconds(9)));
    onInsert("raise exception 'refused by the test' using errcode = '%s'".formatted(state));

    assertThatThrownBy(() -> node.turn(EngineLoop.PLANNING))
        .isInstanceOfSatisfying(
            StoreException.class, refused -> assertThat(refused.sqlState()).contains(state));

    assertThat(List.of(status("a"), status("b"))).containsOnly(ScheduleStatus.ACTIVE);
    onInsert("return new");
    node.pass(Duration.ofSeconds(10));
    assertThat(psql.rows("select count(distinct schedule_id) from carillon.history"))
        .containsExactly("2");
  }
}
