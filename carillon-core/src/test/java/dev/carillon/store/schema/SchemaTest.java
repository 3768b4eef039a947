package dev.carillon.store.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.StoreException;
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
        () -> database.inTransaction(tx -> insertSchedule(tx, key(), "'active', null, null")));
  }

  @Test
  void a_key_is_not_empty_and_has_at_most_200_characters() {
    define("k".repeat(200 - 36) + UUID.randomUUID());

    assertRefused(
        "schedule_key_length", () -> insertSchedule(database, "", "'active', null, null"));
    assertRefused(
        "schedule_key_length",
        () -> insertSchedule(database, "k".repeat(201), "'active', null, null"));
  }

  @Test
  void a_pause_needs_a_reason() {
    assertRefused(
        "schedule_pause_has_reason", () -> insertSchedule(database, key(), "'paused', null, null"));
    assertRefused(
        "schedule_pause_has_reason", () -> insertSchedule(database, key(), "'paused', '  ', null"));
    assertRefused(
        "schedule_pause_has_reason",
        () -> insertSchedule(database, key(), "'active', 'why', null"));
    assertRefused(
        "schedule_until_only_while_paused",
        () -> insertSchedule(database, key(), "'active', null, 'infinity'"));
  }

  @Test
  void a_version_supersedes_an_earlier_one() {
    long id = define(key());

    assertRefused(
        "schedule_version_counts_from_one",
        () -> insertVersion(database, id, "0, null", "'epoch'"));
    assertRefused(
        "schedule_version_supersedes_an_earlier",
        () -> insertVersion(database, id, "2, 2", "'epoch'"));
    insertVersion(database, id, "2, 1", "'epoch'");
  }

  @Test
  void a_cursor_looks_ahead() {
    long id = define(key());

    assertRefused("cursor_looks_ahead", () -> insertCursor(id, "'epoch', 'epoch', 'epoch'"));
    assertRefused(
        "cursor_planned_by_its_slot", () -> insertCursor(id, "'epoch', null, '1970-01-02Z'"));
    assertRefused(
        "cursor_planned_by_its_slot", () -> insertCursor(id, "'epoch', '1970-01-02Z', null"));
    insertCursor(id, "'epoch', '1970-01-02Z', 'epoch'");
  }

  @Test
  void a_slot_becomes_one_run() {
    insertRun(1, "'scheduled', 0, 'pending', null");

    assertRefused("run_pkey", () -> insertRun(1, "'backfill', 0, 'pending', null"));
    assertRefused(
        "run_of_a_slot_is_the_only_one", () -> insertRun(1, "'scheduled', 1, 'pending', null"));
    assertRefused(
        "run_of_a_slot_is_the_only_one", () -> insertRun(1, "'manual', 0, 'pending', null"));
    insertRun(1, "'manual', 1, 'pending', null");
  }

  @Test
  void a_live_run_is_pending_or_running_somewhere() {
    assertRefused("run_state_live", () -> insertRun(2, "'scheduled', 0, 'succeeded', null"));
    assertRefused("run_trigger_known", () -> insertRun(2, "'chance', 1, 'pending', null"));
    assertRefused("run_sequel_known", () -> insertRun(2, "'scheduled', 0, 'pending', 'encore'"));
    assertRefused("run_running_somewhere", () -> insertRun(2, "'scheduled', 0, 'running', null"));
    insertRun(2, "'scheduled', 0, 'pending', 'retire'");
  }

  @Test
  void history_keeps_how_each_run_ended() {
    assertRefused("history_state_final", () -> insertHistory("'pending', null, null"));
    assertRefused("history_failed_with_code", () -> insertHistory("'failed', null, null"));
    assertRefused("history_not_run_for_a_reason", () -> insertHistory("'skipped', null, null"));
    assertRefused("history_not_run_for_a_reason", () -> insertHistory("'canceled', null, null"));
    insertHistory("'failed', 'timeout', null");
    assertRefused("history_default_pkey", () -> insertHistory("'skipped', null, 'overlap'"));
  }

  @Test
  void a_lane_is_free_or_held_by_one_run() {
    assertRefused(
        "lane_holder_whole", () -> execute("insert into carillon.lane values (1, 'epoch', null)"));
    assertRefused(
        "lane_holder_whole", () -> execute("insert into carillon.lane values (1, null, 0)"));
    execute("insert into carillon.lane values (1, null, null), (2, 'epoch', 0)");
  }

  @Test
  void failures_in_a_row_count_from_one() {
    assertRefused(
        "failure_streak_counts_from_one",
        () -> execute("insert into carillon.failure_streak values (1, 0, 'epoch')"));
    execute("insert into carillon.failure_streak values (1, 1, 'epoch')");
  }

  @Test
  void a_decision_is_about_a_range_of_slots() {
    assertRefused(
        "decision_first_not_after_last",
        () -> insertDecision("'1970-01-02Z', 'epoch', 1, 'missed'"));
    assertRefused(
        "decision_about_some_slots", () -> insertDecision("'epoch', 'epoch', 0, 'missed'"));
    assertRefused("decision_reason_known", () -> insertDecision("'epoch', 'epoch', 1, 'mood'"));
    insertDecision("'epoch', '1970-01-02Z', 2, 'paused'");
    assertRefused("decision_pkey", () -> insertDecision("'epoch', 'epoch', 1, 'missed'"));
  }

  @Test
  void claiming_runs_mostly_stays_on_their_pages() {
    for (int schedule = 1000; schedule < 1100; schedule++) {
      insertRun(schedule, "'scheduled', 0, 'pending', null");
    }
    execute(
        """
        update carillon.run
           set state = 'running', attempt = 1, node_id = gen_random_uuid(), node_epoch = 1, started_at = 'epoch'
         where schedule_id >= 1000;
        select pg_stat_force_next_flush();
        """);

    assertThat(
            database.query(
                "count updates",
                """
                select (n_tup_upd - n_tup_hot_upd)::int as moved, n_tup_upd::int as updated
                  from pg_stat_user_tables
                 where relid = 'carillon.run'::regclass
                """,
                row -> List.of(row.integer("moved"), row.integer("updated"))))
        .allSatisfy(
            counts -> {
              assertThat(counts.get(1)).isGreaterThanOrEqualTo(100);
              assertThat(counts.get(0)).isLessThan(counts.get(1) / 5);
            });
  }

  private long define(String key) {
    return database.inTransaction(
        tx -> {
          insertSchedule(tx, key, "'active', null, null");
          long id =
              tx.query(
                      "find the schedule",
                      "select id from carillon.schedule where key = :key",
                      bind -> bind.set("key", key),
                      row -> row.number("id"))
                  .get(0);
          insertVersion(tx, id, "1, null", "null");
          return id;
        });
  }

  private static void insertVersion(
      Statements statements, long id, String versionSupersedes, String retiredAt) {
    statements.script(
        "test",
        """
        insert into carillon.schedule_version
               (schedule_id, version, supersedes, target, payload, definition, created_at, created_by, retired_at)
        values (%s, %s, 'log', '{}', '{}', 'epoch', 'test', %s)
        """
            .formatted(id, versionSupersedes, retiredAt));
  }

  private void insertCursor(long id, String throughNextPlanBy) {
    execute(
        """
        insert into carillon.cursor (schedule_id, planned_through, next_slot, plan_by, tzdb_version)
        values (%s, %s, 'test')
        """
            .formatted(id, throughNextPlanBy));
  }

  private static int insertSchedule(Statements statements, String key, String statusReasonUntil) {
    return statements.update(
        "insert schedule",
        """
        insert into carillon.schedule
               (key, version, status, pause_reason, paused_until, created_at, created_by, updated_at, updated_by)
        values (:key, 1, %s, 'epoch', 'test', 'epoch', 'test')
        """
            .formatted(statusReasonUntil),
        bind -> bind.set("key", key));
  }

  private void insertRun(int schedule, String triggerOrdinalStateSequel) {
    execute(
        """
        insert into carillon.run
               (schedule_id, slot, version, target, payload, due_at, trigger, ordinal, state, sequel)
        values (%s, 'epoch', 1, 'log', '{}', 'epoch', %s)
        """
            .formatted(schedule, triggerOrdinalStateSequel));
  }

  private void insertHistory(String stateCodeReason) {
    execute(
        """
        insert into carillon.history
               (schedule_id, slot, ordinal, version, target, payload, due_at, trigger, attempt, finished_at,
                state, failure_code, reason)
        values (1, 'epoch', 0, 1, 'log', '{}', 'epoch', 'scheduled', 1, 'epoch', %s)
        """
            .formatted(stateCodeReason));
  }

  private void insertDecision(String firstLastSlotsReason) {
    execute(
        """
        insert into carillon.decision (schedule_id, version, decided_at, first_slot, last_slot, slots, reason)
        values (1, 1, 'epoch', %s)
        """
            .formatted(firstLastSlotsReason));
  }

  private void execute(String sql) {
    database.script("test", sql);
  }

  private static String key() {
    return UUID.randomUUID().toString();
  }

  @Test
  void texts_of_targets_tokens_requests_and_workflows_are_bounded() {
    assertRefused("target_label_length", () -> insertTarget("'', 'log', '{}'"));
    assertRefused("target_label_length", () -> insertTarget("repeat('x', 201), 'log', '{}'"));
    assertRefused("target_type_length", () -> insertTarget("'bell', repeat('x', 51), '{}'"));
    assertRefused("target_settings_an_object", () -> insertTarget("'bell', 'log', '[]'"));
    assertRefused(
        "target_settings_size",
        () -> insertTarget("'bell', 'log', jsonb_build_object('x', repeat('x', 300000))"));
    assertRefused("api_token_hash_is_sha256", () -> insertToken("'ci', 'secret', '{viewer}'"));
    assertRefused("api_token_has_roles", () -> insertToken("'ci', sha256('secret'), '{}'"));
    assertRefused(
        "api_token_name_length", () -> insertToken("repeat('x', 201), sha256('a'), '{viewer}'"));
    assertRefused(
        "idempotency_hash_is_sha256",
        () ->
            execute(
                "insert into carillon.idempotency values"
                    + " ('ada', 'k', 'abc', gen_random_uuid(), 'epoch', null, null, null, 'epoch')"));
    assertRefused(
        "idempotency_answer_whole",
        () ->
            execute(
                "insert into carillon.idempotency values ('ada', 'k', repeat('a', 64),"
                    + " gen_random_uuid(), 'epoch', 200, null, null, 'epoch')"));
    assertRefused("workflow_version_counts_from_one", () -> insertWorkflow("'bill', 0, '{}'"));
    assertRefused("workflow_dag_an_object", () -> insertWorkflow("'bill', 1, '[]'"));
    assertRefused(
        "request_id_length",
        () -> execute("insert into carillon.request values ('', 1, 'epoch', 'epoch')"));
  }

  private void insertTarget(String values) {
    execute("insert into carillon.target values (%s, 1, 'epoch', 'ada')".formatted(values));
  }

  private void insertToken(String values) {
    execute(
        "insert into carillon.api_token (id, name, hash, roles, created_at, created_by)"
            + " values (gen_random_uuid(), %s, 'epoch', 'ada')".formatted(values));
  }

  private void insertWorkflow(String values) {
    execute(
        "insert into carillon.workflow (id, version, dag, deployed_at, deployed_by)"
            + " values (%s, 'epoch', 'ada')".formatted(values));
  }

  private static void assertRefused(String constraint, Runnable write) {
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(write::run)
        .withMessageContaining("\"" + constraint + "\"");
  }
}
