package dev.carillon.cli.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.carillon.FreezeDraft;
import dev.carillon.PingDraft;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.cli.Answer;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.InstalledPostgres;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.model.Ping;
import dev.carillon.policy.CalendarPolicy;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Deadline;
import dev.carillon.policy.Expectation;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.PingExpectation;
import dev.carillon.store.backup.Backup;
import dev.carillon.store.backup.BackupFile;
import dev.carillon.store.backup.BackupManifest;
import dev.carillon.store.backup.Restore;
import dev.carillon.store.schema.OlderSchema;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.TestClock;
import dev.carillon.time.Window;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.Roll;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code carillon backup} and {@code carillon restore} between real databases. */
@ExtendWith(EmbeddedPostgres.class)
class BackupTest {
  /** Leases end with a restore, so these differ by intent. */
  private static final Set<String> WITH_LEASES = Set.of("node", "leader");

  /** How many runs are a long history; {@code -Dbackup.runs=1000000} for a very long one. */
  private static final int LONG_HISTORY = Integer.getInteger("backup.runs", 20_000);

  private final PostgresServer postgres;
  @TempDir Path folder;

  BackupTest(PostgresServer postgres) {
    this.postgres = postgres;
  }

  @Test
  void everything_comes_back_as_it_was() throws Exception {
    String source = postgres.createMigrated();
    fill(source);
    Path first = folder.resolve("first.backup");

    Answer made = backup(source, first);
    assertThat(made.code()).as(made.err()).isZero();
    assertThat(made.out())
        .matches("(?s)backed up [0-9,]+ rows of \\d+ tables to .*first.backup \\(.* MB\\) in .*");
    assertThat(Files.getPosixFilePermissions(first))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    String target = postgres.createEmpty();
    Answer restored = restore(first, target);
    assertThat(restored.code()).as(restored.err()).isZero();
    assertThat(restored.out()).startsWith("restored ");

    Path second = folder.resolve("second.backup");
    assertThat(backup(target, second).code()).isZero();
    BackupManifest before = manifest(first);
    BackupManifest after = manifest(second);
    assertThat(withoutLeases(after)).isEqualTo(withoutLeases(before));
    assertThat(after.sequences()).isEqualTo(before.sequences());
    assertThat(after.weeks()).isEqualTo(before.weeks()).isNotEmpty();
    assertThat(before.tables())
        .filteredOn(table -> table.rows() > 0)
        .extracting(BackupManifest.Table::name)
        .contains(
            "schedule",
            "schedule_version",
            "cursor",
            "run",
            "history",
            "decision",
            "audit",
            "node",
            "target",
            "api_token",
            "calendar",
            "calendar_version",
            "quiet_hours",
            "quiet_hours_version",
            "business_time",
            "replan");
    assertThat(made.out() + made.err() + restored.out() + restored.err())
        .doesNotContain(postgres.password());
  }

  @Test
  void everything_travels_to_an_older_postgres_and_back() throws Exception {
    assumeTrue(InstalledPostgres.isInstalled(15), "skipped: PostgreSQL 15 is not installed");
    String source = postgres.createMigrated();
    fill(source);
    Path there = folder.resolve("there.backup");
    Path back = folder.resolve("back.backup");
    backup(source, there);
    try (var older = InstalledPostgres.start(15)) {
      String url = "postgresql://carillon@127.0.0.1:%s/postgres".formatted(older.port());

      Answer moved = Answer.to("restore", there.toString(), "--database-url", url);
      assertThat(moved.code()).as(moved.err()).isZero();
      Answer copied = Answer.to("backup", back.toString(), "--database-url", url);
      assertThat(copied.code()).as(copied.err()).isZero();
    }
    assertThat(restore(back, postgres.createEmpty()).code()).isZero();

    assertThat(manifest(back).postgres()).startsWith("15.");
    assertThat(withoutLeases(manifest(back))).isEqualTo(withoutLeases(manifest(there)));
  }

  @Test
  void a_restored_database_goes_on_where_the_backup_was_taken() throws Exception {
    String source = postgres.createMigrated();
    fill(source);
    Path file = folder.resolve("carillon.backup");
    backup(source, file);
    String target = postgres.createEmpty();
    restore(file, target);

    var clock = TestClock.at(Instant.now().toString());
    var slots = new ArrayList<Instant>();
    try (var carillon =
        ManualCarillon.on(postgres.pool(target))
            .clock(clock)
            .target("bell", run -> slots.add(run.slot()))
            .target("broken", run -> {})
            .start()) {
      carillon.runDue();
      assertThat(
              carillon
                  .schedules()
                  .create(ScheduleDraft.named("new").target("bell").every(Duration.ofHours(1))))
          .isNotNull();
      clock.advance(Duration.ofHours(2));
      carillon.runDue();
    }

    assertThat(slots).isNotEmpty().doesNotHaveDuplicates();
    assertThat(
            text(
                target,
                "select count(*) from (select schedule_id, slot, ordinal from carillon.any_run group by 1, 2, 3 having count(*) > 1) as twice"))
        .isEqualTo("0");
  }

  @Test
  void restoring_tells_what_catch_up_will_do() throws Exception {
    String source = postgres.createMigrated();
    fill(source);
    Path file = folder.resolve("carillon.backup");
    backup(source, file);

    Answer restored = restore(file, postgres.createEmpty());

    assertThat(restored.out())
        .contains("when a server starts on it:")
        .containsPattern(
            "1 schedule with catch-up skip missed \\d+ slots: none runs, all are recorded as missed")
        .containsPattern(
            "1 schedule with catch-up once missed \\d+ slots: 1 runs, \\d+ are recorded as missed")
        .containsPattern("once: 1 run of \\d+ slots");
  }

  @Test
  void a_database_that_is_not_empty_is_refused_and_left_as_it_is() throws Exception {
    String source = postgres.createMigrated();
    fill(source);
    Path file = folder.resolve("carillon.backup");
    backup(source, file);
    String before = text(source, "select count(*) from carillon.audit");

    Answer refused = restore(file, source);

    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err())
        .contains(
            "the database is not empty, it has",
            "in schedule",
            "restore into a new data folder or an empty database");
    assertThat(text(source, "select count(*) from carillon.audit")).isEqualTo(before);
  }

  @Test
  void a_backup_of_an_older_schema_is_brought_up_to_date() throws Exception {
    String old = postgres.createEmpty();
    OlderSchema.migrate(postgres.dataSource(old), 2);
    execute(
        old,
        """
        insert into carillon.audit (at, actor, action) values (now(), 'ann', 'schedule.created')
        """);
    Path file = folder.resolve("old.backup");
    assertThat(backup(old, file).code()).isZero();
    String target = postgres.createEmpty();

    Answer restored = restore(file, target);

    assertThat(restored.code()).as(restored.err()).isZero();
    assertThat(restored.out()).contains("no slot was missed, and no run was on its way");
    assertThat(text(target, "select actor from carillon.audit")).isEqualTo("ann");
    assertThat(text(target, "select count(*) from carillon.target")).isEqualTo("0");
    Answer newer = restore(file, postgres.createMigrated());
    assertThat(newer.code()).isEqualTo(1);
    assertThat(newer.err())
        .contains("the empty schema carillon is at", "and the backup is of 2; drop it");
  }

  @Test
  void a_damaged_or_truncated_file_restores_nothing() throws Exception {
    String source = postgres.createMigrated();
    fill(source);
    Path whole = folder.resolve("whole.backup");
    backup(source, whole);
    byte[] bytes = Files.readAllBytes(whole);
    Path truncated =
        Files.write(folder.resolve("truncated.backup"), Arrays.copyOf(bytes, bytes.length / 2));
    Path flipped = folder.resolve("flipped.backup");
    bytes[bytes.length / 3] ^= 0x10;
    Files.write(flipped, bytes);
    Path text = Files.writeString(folder.resolve("text.backup"), "no archive");
    String target = postgres.createEmpty();

    for (Path broken : List.of(truncated, flipped, text, folder.resolve("absent.backup"), folder)) {
      Answer refused = restore(broken, target);
      assertThat(refused.code()).as(refused.toString()).isEqualTo(2);
      assertThat(refused.err()).startsWith("carillon: " + broken).hasLineCount(1);
      Answer checked = Answer.to("restore", broken.toString(), "--check");
      assertThat(checked.code()).as(checked.toString()).isEqualTo(2);
    }
    assertThat(restore(whole, target).code()).isZero();
  }

  @Test
  void a_whole_file_can_be_checked_without_a_database() throws Exception {
    String source = postgres.createMigrated();
    fill(source);
    Path file = folder.resolve("carillon.backup");
    backup(source, file);

    Answer checked = Answer.to("restore", file.toString(), "--check");

    assertThat(checked.code()).isZero();
    assertThat(checked.out()).contains("is whole: ", " tables, taken at ", "  schedule_version\n");
  }

  @Test
  void a_long_history_is_copied_with_progress() throws Exception {
    String source = postgres.createMigrated();
    execute(
        source,
        """
        insert into carillon.history (schedule_id, slot, ordinal, version, trigger, target, payload, due_at, state,
                                      attempt, node_id, started_at, finished_at)
        select 1 + number %% 100, timestamptz '2026-11-01 00:00:00+00' - number * interval '1 second', 0, 1,
               'scheduled', 'report', '{"to": "ops", "page": 1}',
               timestamptz '2026-11-01 00:00:00+00' - number * interval '1 second', 'succeeded', 1,
               '0190163d-8694-739b-aea5-966c26f8ad91', now(), now()
          from generate_series(1, %s) as number
        """
            .formatted(LONG_HISTORY));
    Path file = folder.resolve("long.backup");
    var seen = new ArrayList<Long>();
    BackupManifest manifest;
    try (OutputStream out = Files.newOutputStream(file)) {
      manifest =
          new Backup(postgres.dataSource(source), "test")
              .write(out, (table, rows, expected) -> seen.add(rows));
    }
    assertThat(manifest.rows()).isGreaterThanOrEqualTo(LONG_HISTORY);
    assertThat(seen)
        .isSorted()
        .hasSizeGreaterThan(LONG_HISTORY / 2_000)
        .last()
        .isEqualTo(manifest.rows());

    String target = postgres.createEmpty();
    seen.clear();
    try (var backup = BackupFile.open(file)) {
      new Restore(postgres.dataSource(target), "test")
          .from(backup, (table, rows, expected) -> seen.add(rows));
    }
    assertThat(seen).isSorted().hasSizeGreaterThan(LONG_HISTORY / 2_000);
    assertThat(text(target, "select count(*) from carillon.history"))
        .isEqualTo(String.valueOf(LONG_HISTORY));
  }

  @Test
  void a_file_is_not_replaced_unless_that_is_said_and_none_is_left_by_a_failure() throws Exception {
    String source = postgres.createMigrated();
    Path file = Files.writeString(folder.resolve("precious"), "precious");

    Answer refused = backup(source, file);
    assertThat(refused.code()).isEqualTo(5);
    assertThat(refused.err())
        .contains("precious exists; name another file, or replace it with --force");
    assertThat(file).hasContent("precious");
    Answer nothing = backup(postgres.createEmpty(), folder.resolve("nothing.backup"));
    assertThat(nothing.code()).isEqualTo(1);
    assertThat(nothing.err())
        .contains("there is nothing to back up: the database has no schema carillon");
    Answer nowhere = backup(source, folder.resolve("missing/x.backup"));
    assertThat(nowhere.code()).isEqualTo(1);
    assertThat(nowhere.err()).contains("cannot be written: there is no such file or folder");
    assertThat(backup(source, file, "--force").code()).isZero();
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void what_is_written_during_a_backup_is_in_it_as_a_whole_or_not_at_all() throws Exception {
    String source = postgres.createMigrated();
    fill(source);
    var busy = new Thread(() -> createSchedules(source), "busy");
    Path file = folder.resolve("busy.backup");
    busy.start();
    try {
      for (int i = 0; i < 2; i++) {
        assertThat(backup(source, file, "--force").code()).isZero();
        Answer restored = restore(file, postgres.createEmpty()); // foreign keys would refuse halves
        assertThat(restored.code()).as(restored.err()).isZero();
        Map<String, Long> rows =
            manifest(file).tables().stream()
                .collect(Collectors.toMap(BackupManifest.Table::name, BackupManifest.Table::rows));
        assertThat(rows.get("cursor")).isEqualTo(rows.get("schedule"));
      }
    } finally {
      busy.interrupt();
      busy.join();
    }
  }

  private void createSchedules(String database) {
    try (var carillon =
        ManualCarillon.on(postgres.pool(database)).target("bell", run -> {}).start()) {
      for (int i = 0; !Thread.currentThread().isInterrupted(); i++) {
        carillon
            .schedules()
            .create(ScheduleDraft.named("busy-" + i).target("bell").every(Duration.ofHours(1)));
      }
    } catch (RuntimeException e) {
      assertThat(Thread.currentThread().isInterrupted()).as(e.toString()).isTrue();
    }
  }

  /* Three days of runs that ended three days ago. */
  private void fill(String database) throws SQLException {
    Instant end = Instant.now().truncatedTo(ChronoUnit.HOURS).minus(Duration.ofDays(3));
    var clock = TestClock.at(end.minus(Duration.ofDays(3)).toString());
    try (var carillon =
        ManualCarillon.on(postgres.pool(database))
            .clock(clock)
            .target("bell", run -> {})
            .target(
                "broken",
                run -> {
                  throw new IllegalStateException("tab\tand line\nand \\ backslash and é");
                })
            .start()) {
      var schedules = carillon.schedules();
      carillon
          .carillon()
          .calendars()
          .save(BusinessCalendar.named("it", ZoneId.of("Europe/Rome")).build());
      carillon
          .carillon()
          .quietHours()
          .freeze(FreezeDraft.until(clock.instant().plus(Duration.ofHours(2)), "é \\N"));
      schedules.create(
          hourly("ruled")
              .calendar(CalendarPolicy.of("it", Roll.FOLLOWING))
              .window(Window.until(end)));
      schedules.create(hourly("skip").catchUp(CatchUp.skip()));
      schedules.create(
          hourly("once")
              .catchUp(CatchUp.once())
              .expect(Expectation.successEvery(Duration.ofHours(2))));
      schedules.create(
          hourly("failing").target("broken").overlap(Overlap.QUEUE).window(Window.until(end)));
      schedules.upsert(hourly("skip").catchUp(CatchUp.skip()).description("é \\N \t"));
      carillon.runs().enqueue(RunDraft.of("bell").in(Duration.ofDays(400)));
      carillon
          .runs()
          .enqueue(
              RunDraft.of("bell")
                  .in(Duration.ofDays(300))
                  .deadline(Deadline.after(Duration.ofHours(1), "bell")));
      var pings = carillon.carillon().pings();
      pings.put(PingDraft.of("backup", PingExpectation.successEvery(Duration.ofDays(1))));
      pings.ping(
          "backup",
          Ping.Kind.SUCCESS,
          Optional.of(Duration.ofMillis(1500)),
          Optional.of(0),
          Optional.of("é \\N \t\n"));
      carillon.pass(Duration.ofDays(1));
      clock.advance(Duration.ofHours(6));
      carillon.runDue();
      carillon.turn(EngineLoop.HOUSEKEEPING);
      carillon.pass(Duration.ofHours(42));
    }
    execute(
        database,
        """
        insert into carillon.target (label, type, settings, revision, updated_at, updated_by)
        values ('hook', 'http', '{"secret": "s\\\\u00e9cret"}', nextval('carillon.target_revision'), now(), 'ann');
        insert into carillon.api_token (id, name, hash, roles, created_at, created_by)
        values (gen_random_uuid(), 'ann', sha256('x'), '{admin,"a b"}', now(), 'ann');
        """);
  }

  private static ScheduleDraft hourly(String key) {
    return ScheduleDraft.named(key).target("bell").every(Duration.ofHours(1));
  }

  private Answer backup(String database, Path file, String... more) {
    return to("backup", file, database, more);
  }

  private Answer restore(Path file, String database) {
    return to("restore", file, database);
  }

  private Answer to(String command, Path file, String database, String... more) {
    var words = new ArrayList<>(List.of(command, file.toString(), "--database-url"));
    words.add(
        "postgresql://%s:%s@127.0.0.1:%s/%s"
            .formatted(postgres.user(), postgres.password(), postgres.port(), database));
    words.addAll(List.of(more));
    return Answer.to(words.toArray(String[]::new));
  }

  private static BackupManifest manifest(Path file) {
    try (var backup = BackupFile.open(file)) {
      return backup.manifest();
    }
  }

  private static List<BackupManifest.Table> withoutLeases(BackupManifest manifest) {
    return manifest.tables().stream().filter(one -> !WITH_LEASES.contains(one.name())).toList();
  }

  private void execute(String database, String sql) throws SQLException {
    try (var connection = postgres.dataSource(database).getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private String text(String database, String sql) throws SQLException {
    try (var connection = postgres.dataSource(database).getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
