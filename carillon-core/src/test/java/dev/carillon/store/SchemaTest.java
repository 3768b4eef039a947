package dev.carillon.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.carillon.fixture.EmbeddedPostgres;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The rules that the tables themselves keep, whoever writes to them. */
@ExtendWith(EmbeddedPostgres.class)
class SchemaTest {
  private final Database database;

  SchemaTest(DataSource postgres) {
    database = new Database(postgres);
  }

  @Test
  void every_table_says_what_it_is() {
    assertThat(
            database.query(
                "uncommented tables",
                """
                select class.relname as name
                  from pg_class as class
                 where class.relnamespace = 'carillon'::regnamespace
                   and class.relkind in ('r', 'p')
                   and obj_description(class.oid, 'pg_class') is null
                """,
                row -> row.text("name")))
        .isEmpty();
  }

  @Test
  void a_schedule_and_its_first_version_are_written_together() {
    define(key());
  }

  @Test
  void a_schedule_without_its_version_is_refused() {
    assertRefused(
        "schedule_has_its_version",
        () -> database.inTransaction(() -> insertSchedule(key(), "'active', null, null")));
  }

  @Test
  void a_key_is_not_empty_and_has_at_most_200_characters() {
    define("k".repeat(200 - 36) + UUID.randomUUID());

    assertRefused("schedule_key_length", () -> insertSchedule("", "'active', null, null"));
    assertRefused(
        "schedule_key_length", () -> insertSchedule("k".repeat(201), "'active', null, null"));
  }

  @Test
  void a_pause_needs_a_reason() {
    assertRefused("schedule_pause_has_reason", () -> insertSchedule(key(), "'paused', null, null"));
    assertRefused("schedule_pause_has_reason", () -> insertSchedule(key(), "'paused', '  ', null"));
    assertRefused(
        "schedule_pause_has_reason", () -> insertSchedule(key(), "'active', 'why', null"));
    assertRefused(
        "schedule_until_only_while_paused",
        () -> insertSchedule(key(), "'active', null, 'infinity'"));
  }

  @Test
  void a_slot_becomes_one_run() {
    insertRun(1, "'scheduled', 0, 'pending', null, null, null");

    assertRefused(
        "run_default_pkey", () -> insertRun(1, "'backfill', 0, 'pending', null, null, null"));
    assertRefused(
        "run_of_a_slot_is_the_only_one",
        () -> insertRun(1, "'scheduled', 1, 'pending', null, null, null"));
    insertRun(1, "'manual', 1, 'pending', null, null, null");
  }

  @Test
  void a_state_brings_what_it_needs() {
    assertRefused(
        "run_state_known", () -> insertRun(2, "'scheduled', 0, 'lost', 'epoch', null, null"));
    assertRefused(
        "run_running_somewhere", () -> insertRun(2, "'scheduled', 0, 'running', null, null, null"));
    assertRefused(
        "run_finished_at_its_end",
        () -> insertRun(2, "'scheduled', 0, 'succeeded', null, null, null"));
    assertRefused(
        "run_failed_with_code",
        () -> insertRun(2, "'scheduled', 0, 'failed', 'epoch', null, null"));
    assertRefused(
        "run_not_run_for_a_reason",
        () -> insertRun(2, "'scheduled', 0, 'skipped', 'epoch', null, null"));
    insertRun(2, "'scheduled', 0, 'skipped', 'epoch', null, 'overlap'");
  }

  @Test
  void claiming_and_finishing_runs_mostly_stays_on_their_pages() {
    for (int schedule = 1000; schedule < 1050; schedule++) {
      insertRun(schedule, "'scheduled', 0, 'pending', null, null, null");
    }
    database.script(
        "claim",
        """
        update carillon.run
           set state = 'running', attempt = 1, node_id = gen_random_uuid(), node_epoch = 1, started_at = 'epoch'
         where schedule_id >= 1000
        """);
    database.script(
        "finish",
        """
        update carillon.run
           set state = 'succeeded', finished_at = 'epoch'
         where schedule_id >= 1000;
        select pg_stat_force_next_flush();
        """);

    assertThat(
            database.query(
                "count updates",
                """
                select (n_tup_upd - n_tup_hot_upd)::int as moved, n_tup_upd::int as updated
                  from pg_stat_user_tables
                 where relid = 'carillon.run_default'::regclass
                """,
                row -> List.of(row.integer("moved"), row.integer("updated"))))
        .allSatisfy(
            counts -> {
              assertThat(counts.get(1)).isGreaterThanOrEqualTo(100);
              assertThat(counts.get(0)).isLessThan(counts.get(1) / 5);
            });
  }

  @Test
  void a_payload_is_found_by_what_it_contains() {
    database.inTransaction(
        () -> {
          database.script("prefer indexes", "set local enable_seqscan = off");
          assertThat(
                  database.query(
                      "explain",
                      """
                      explain select from carillon.schedule_version where payload @> '{"to": "ops"}'
                      """,
                      row -> row.text("QUERY PLAN")))
              .anyMatch(line -> line.contains("schedule_version_payload"));
          return true;
        });
  }

  private void define(String key) {
    database.inTransaction(
        () -> {
          insertSchedule(key, "'active', null, null");
          return database.update(
              "insert version",
              """
              insert into carillon.schedule_version
                     (schedule_id, version, target, payload, timing, zone, jitter, overlap, catch_up, retry,
                      recovery, created_at, created_by)
              select id, 1, 'log', '{}', '{}', 'UTC', '0', 'skip', '{}', '{}', 'resubmit', 'epoch', 'test'
                from carillon.schedule
               where key = :key
              """,
              bind -> bind.set("key", key));
        });
  }

  private int insertSchedule(String key, String statusReasonUntil) {
    return database.update(
        "insert schedule",
        """
        insert into carillon.schedule
               (key, version, status, pause_reason, paused_until, created_at, created_by, updated_at, updated_by)
        values (:key, 1, %s, 'epoch', 'test', 'epoch', 'test')
        """
            .formatted(statusReasonUntil),
        bind -> bind.set("key", key));
  }

  private void insertRun(int schedule, String triggerOrdinalStateFinishedCodeReason) {
    database.update(
        "insert run",
        """
        insert into carillon.run
               (schedule_id, slot, version, target, payload, due_at,
                trigger, ordinal, state, finished_at, failure_code, reason)
        values (:schedule, 'epoch', 1, 'log', '{}', 'epoch', %s)
        """
            .formatted(triggerOrdinalStateFinishedCodeReason),
        bind -> bind.set("schedule", schedule));
  }

  private static String key() {
    return UUID.randomUUID().toString();
  }

  private static void assertRefused(String constraint, Runnable write) {
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(write::run)
        .withMessageContaining("\"" + constraint + "\"");
  }
}
