package dev.carillon.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.store.jdbc.Database;
import java.time.Instant;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What it costs to look at what changes, counted and not timed. */
@ExtendWith(EmbeddedPostgres.class)
class ChangeCostTest {
  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");

  private final Psql psql;
  private final ChangeStore changes;

  ChangeCostTest(DataSource postgres) {
    psql = new Psql(postgres);
    changes = new ChangeStore(new Database(postgres));
  }

  @BeforeEach
  void empty() {
    psql.execute("truncate carillon.run, carillon.history");
  }

  @Test
  void a_look_reads_the_last_moments_and_not_an_hour() {
    ChangePosition begin = changes.snapshot().place(NOW);
    psql.execute(
        """
        insert into carillon.history (schedule_id, slot, ordinal, version, trigger, target, payload, due_at, state,
                                      attempt, finished_at)
        select i, slot, 0, 1, 'scheduled', 'noop', '{}', slot, 'succeeded', 1, slot
          from (select i, ?::timestamptz - (60000 - i) * interval '60 milliseconds' as slot
                  from generate_series(1, 60000) as i) as made
        """,
        NOW);
    psql.execute("vacuum (analyze) carillon.history");

    ChangePosition end = SettledSnapshot.of(changes).place(NOW);
    long before = fetched();
    assertThat(changes.between(begin, end, 500)).hasSize(500);
    assertThat(fetched() - before).isLessThan(15_000);
  }

  @Test
  void what_was_started_is_found_among_many_that_are_not_due() {
    psql.execute(
        """
        insert into carillon.run (schedule_id, slot, version, trigger, target, payload, due_at, wake_at, state,
                                  attempt, node_id, node_epoch, started_at)
        select i, slot, 1, 'scheduled', 'target-' || i % 3, '{}', slot, slot,
               case when i <= 5 then 'running' else 'pending' end, 1,
               '00000000-0000-0000-0000-000000000001', 1, ?::timestamptz
          from (select i, ?::timestamptz + (i - 6) * interval '1 second' as slot
                  from generate_series(1, 50000) as i) as made
        """,
        NOW, NOW);

    long before = fetched();
    assertThat(changes.started(NOW.minusSeconds(10), NOW, 500)).hasSize(5);
    assertThat(fetched() - before).isLessThan(200);
  }

  @Test
  void what_was_started_elsewhere_is_found_though_claims_do_not_see_it() {
    psql.execute(
        """
        insert into carillon.run (schedule_id, slot, version, trigger, target, payload, due_at, state, attempt,
                                  node_id, node_epoch, started_at, expires_at)
        values (1000000, ?::timestamptz, 1, 'ad_hoc', 'jobs', '{}', ?::timestamptz, 'running', 1,
                '00000000-0000-0000-0000-000000000001', -1, ?::timestamptz, ?::timestamptz)
        """,
        NOW,
        NOW,
        NOW,
        NOW.plusSeconds(30));

    assertThat(changes.started(NOW.minusSeconds(10), NOW, 500))
        .anyMatch(run -> run.target().equals("jobs"));
  }

  private long fetched() {
    psql.execute("select pg_stat_force_next_flush()");
    return Long.parseLong(
        psql.rows(
                """
                select sum(coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0))::bigint
                  from pg_stat_user_tables
                 where schemaname = 'carillon'
                """)
            .get(0));
  }
}
