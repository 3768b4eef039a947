package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.model.RunId;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Rows that should not be there, as after a mended backup: they cost their own run at most. */
@ExtendWith(EmbeddedPostgres.class)
class RefusedBatchTest {
  private final Belfry belfry;
  private final Psql psql;
  private final ManualCarillon node;

  RefusedBatchTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    psql = belfry.psql();
    node = belfry.node(builder -> builder.target("bell", context -> {}));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  @Test
  void a_run_that_the_history_has_already_does_not_keep_others_from_ending() {
    List<RunId> ids = node.runs().enqueueAll(Collections.nCopies(9, RunDraft.of("bell")));
    psql.execute(
        """
        insert into carillon.history
               (schedule_id, slot, ordinal, version, trigger, target, payload, due_at, state, attempt, finished_at,
                reason)
        select schedule_id, slot, ordinal, version, trigger, target, payload, due_at, 'canceled', 0, due_at, 'before'
          from carillon.run
         where schedule_id = ?
        """,
        ids.get(6).schedule());
    node.runDue();

    assertThat(psql.rows("select count(*) from carillon.run")).containsExactly("0");
    assertThat(psql.rows("select state, count(*) from carillon.history group by 1 order by 1"))
        .containsExactly("canceled 1", "succeeded 8");
    assertThat(psql.rows("select sum(runs) from carillon.run_count_delta")).containsExactly("8");
  }

  @Test
  void a_slot_that_has_a_run_already_does_not_keep_others_from_being_planned() {
    for (String key : List.of("terce", "sext", "none")) {
      node.schedules()
          .create(ScheduleDraft.named(key).target("bell").every(Duration.ofSeconds(10)));
    }
    node.pass(Duration.ofSeconds(25));
    psql.execute(
        """
        insert into carillon.run (schedule_id, slot, version, trigger, target, payload, due_at, wake_at)
        select id, next_slot + interval '20 seconds', 1, 'scheduled', 'bell', '{}', next_slot, null
          from carillon.schedule
          join carillon.cursor
            on cursor.schedule_id = schedule.id
         where key = 'sext'
        """);
    node.pass(Duration.ofMinutes(5));

    assertThat(psql.rows("select distinct status from carillon.schedule"))
        .containsExactly("active");
    assertThat(
            psql.rows(
                """
                select key, (select count(*) from carillon.history where schedule_id = id),
                       (select count(*) from carillon.run where schedule_id = id and wake_at is null)
                  from carillon.schedule
                 order by id
                """))
        .containsExactly("terce 32 0", "sext 31 1", "none 32 0");
  }
}
