package dev.carillon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.UnsizedPool;
import dev.carillon.fixture.Wiretap;
import dev.carillon.model.Explanation.Outcome;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an explanation reads of a long history, counted and not timed. */
@ExtendWith(EmbeddedPostgres.class)
class ExplainCostTest {
  private static final int ROWS = 100_000;
  private static final int MAX_STATEMENTS = 12;
  private static final int MAX_ROWS = 1_000;

  private final Belfry belfry;
  private final Wiretap wiretap;
  private final ManualCarillon node;

  ExplainCostTest(DataSource postgres) {
    belfry = new Belfry(UnsizedPool.of(postgres));
    wiretap = new Wiretap(belfry.source());
    node = belfry.nodeOn(wiretap.dataSource(), builder -> builder.target("bell", context -> {}));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  /* Runs, decisions, runs that were asked for and lines of the audit, one of each a minute. */
  private void fill() {
    node.schedules().create(ScheduleDraft.named("old").target("bell").every(Duration.ofMinutes(1)));
    Instant now = belfry.clock().instant();
    belfry
        .psql()
        .execute(
            """
            insert into carillon.history
                   (schedule_id, slot, ordinal, version, trigger, target, payload, due_at, state, attempt,
                    finished_at)
            select schedule.id, slot + (i % 2) * interval '10 seconds', i % 2, 1,
                   case when i % 2 = 0 then 'scheduled' else 'manual' end, 'bell', '{}', slot, 'succeeded', 1, slot
              from carillon.schedule,
                   (select i, ?::timestamptz - i * interval '1 minute' as slot
                      from generate_series(1, ?) as i) as made
            """,
            now, ROWS);
    belfry
        .psql()
        .execute(
            """
            insert into carillon.decision
                   (schedule_id, first_slot, last_slot, slots, reason, version, decided_at)
            select schedule.id, slot, slot, 1, 'missed', 1, slot
              from carillon.schedule,
                   (select ?::timestamptz - i * interval '1 minute' as slot
                      from generate_series(1, ?, 2) as i) as made
            """,
            now,
            ROWS);
    belfry
        .psql()
        .execute(
            """
            insert into carillon.audit (at, actor, action, schedule_id)
            select slot, 'ann', case when i % 10 = 0 then 'schedule.paused' else 'schedule.run' end, schedule.id
              from carillon.schedule,
                   (select i, ?::timestamptz - i * interval '1 minute' as slot
                      from generate_series(1, ?) as i) as made
            """,
            now, ROWS);
    belfry.psql().execute("analyze carillon.history, carillon.decision, carillon.audit");
  }

  /* What all sessions fetched of these tables by their indexes, and read of them otherwise. */
  private long fetched() {
    belfry.psql().execute("select pg_stat_force_next_flush()");
    return Long.parseLong(
        belfry
            .psql()
            .rows(
                """
                select sum(coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0))::bigint
                  from pg_stat_user_tables
                 where relname like 'history%' or relname in ('decision', 'audit', 'run')
                """)
            .get(0));
  }

  @Test
  void an_explanation_reads_a_few_rows_whatever_the_history() {
    fill();
    Instant middle = belfry.clock().instant().minus(Duration.ofMinutes(ROWS / 2));
    assertThat(explain(middle)).isEqualTo(Outcome.SUCCEEDED);
    for (Instant at :
        new Instant[] {
          middle,
          middle.plusSeconds(60),
          middle.plusSeconds(7),
          Instant.EPOCH,
          belfry.clock().instant()
        }) {
      long statements = wiretap.statements();
      long rows = fetched();

      explain(at);

      assertThat(wiretap.statements() - statements).isLessThanOrEqualTo(MAX_STATEMENTS);
      assertThat(fetched() - rows).as("rows read for %s", at).isLessThan(MAX_ROWS);
    }
  }

  private Outcome explain(Instant at) {
    return node.schedules().explain("old", at).orElseThrow().outcome();
  }
}
