package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.fixture.Psql;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A node whose role may change rows, but no tables. */
@ExtendWith(EmbeddedPostgres.class)
class LimitedRoleTest {
  private static final AtomicInteger ROLES = new AtomicInteger();

  private final String role = "app_" + ROLES.incrementAndGet();
  private final Belfry belfry;
  private final Psql psql;
  private final DataSource limited;
  private final RecordingTarget bell = new RecordingTarget();

  LimitedRoleTest(DataSource postgres, PostgresServer server) {
    belfry = new Belfry(postgres);
    psql = belfry.psql();
    psql.execute("create role " + role + " login password 'app'");
    limited = server.dataSource(psql.rows("select current_database()").get(0), role, "app");
  }

  @AfterEach
  void close() {
    belfry.close();
    psql.execute("drop owned by " + role);
    psql.execute("drop role " + role);
  }

  private void grant() {
    psql.execute("grant usage on schema carillon to " + role);
    psql.execute(
        "grant select, insert, update, delete on all tables in schema carillon to " + role);
    psql.execute("grant usage on all sequences in schema carillon to " + role);
  }

  private ManualCarillon node() {
    return belfry.nodeOn(
        limited, builder -> builder.target("bell", bell).retention(Duration.ofDays(30)));
  }

  @Test
  void a_role_that_may_not_read_the_schema_is_told_what_it_needs() {
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(this::node)
        .withMessageStartingWith("role %s may not read the schema carillon of database ", role)
        .withMessageContaining(
            "; as its owner, run: grant usage on schema carillon to %s; grant select, insert, update, delete on all tables in schema carillon to %s; ",
            role, role);
  }

  @Test
  void rows_are_enough_to_schedule_and_to_run() {
    grant();
    ManualCarillon node = node();
    node.schedules()
        .create(ScheduleDraft.named("hourly").target("bell").every(Duration.ofHours(1)));
    RunId id = node.runs().enqueue(RunDraft.of("bell").overlapKey("one").requestId("request"));
    node.pass(Duration.ofHours(3));
    belfry.clock().advance(Duration.ofDays(1)); // an outage, after which planning is taken back
    node.runDue();
    node.turn(EngineLoop.HOUSEKEEPING);

    assertThat(node.runs().get(id).map(Run::state)).contains(RunState.SUCCEEDED);
    assertThat(bell.calls()).hasSizeGreaterThan(3);
  }

  @Test
  void housekeeping_makes_and_drops_partitions_that_the_owner_then_owns() {
    ManualCarillon owner =
        belfry.node(builder -> builder.target("bell", bell).retention(Duration.ofDays(30)));
    owner.turn(EngineLoop.HOUSEKEEPING);
    RunId partitioned = owner.runs().enqueue(RunDraft.of("bell"));
    owner.runDue();
    owner.close();
    grant();
    ManualCarillon node = node();
    belfry.clock().advance(Duration.ofDays(70));
    node.runDue();
    RunId unpartitioned = node.runs().enqueue(RunDraft.of("bell"));
    node.runDue();

    node.turn(EngineLoop.HOUSEKEEPING);
    belfry.clock().advance(Duration.ofDays(70));
    node.turn(EngineLoop.HEARTBEAT);
    node.turn(EngineLoop.HOUSEKEEPING);

    assertThat(node.runs().get(partitioned)).isEmpty();
    assertThat(node.runs().get(unpartitioned)).isEmpty();
    assertThat(node.events()).noneMatch(Event.TurnFailed.class::isInstance);
    assertThat(
            psql.rows(
                "select distinct pg_get_userbyid(relowner) <> '%s' from pg_class where relname ~ '^history_2.*[0-9]$'"
                    .formatted(role)))
        .containsExactly("true");
  }
}
