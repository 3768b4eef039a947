package dev.carillon.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.model.AuditEntry;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.store.jdbc.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
class ChangeStoreTest {
  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");

  private final DataSource postgres;
  private final Psql psql;
  private final ChangeStore changes;
  private ChangePosition begin = ChangePosition.before(0, NOW);

  ChangeStoreTest(DataSource postgres) {
    this.postgres = postgres;
    psql = new Psql(postgres);
    changes = new ChangeStore(new Database(postgres));
  }

  @BeforeEach
  void empty() {
    psql.execute("truncate carillon.audit, carillon.history");
    begin = changes.snapshot().place(NOW);
  }

  private static String change(String action) {
    return """
        insert into carillon.audit (at, actor, action, schedule_id)
        values ('2026-03-01T00:00:00Z', 'ada', '%s', 1)
        """
        .formatted(action);
  }

  private static String end(int schedule, String slot) {
    return """
        insert into carillon.history (schedule_id, slot, ordinal, version, trigger, target, payload, due_at, state,
                                      attempt, finished_at)
        values (%s, '%s', 0, 1, 'scheduled', 'noop', '{"a": 1}', '%s', 'succeeded', 1, '%s')
        """
        .formatted(schedule, slot, slot, slot);
  }

  private List<Change> all(ChangePosition after) {
    return changes.between(after, SettledSnapshot.of(changes).place(NOW), 1_000);
  }

  private static List<String> names(List<Change> changes) {
    return changes.stream()
        .map(
            change ->
                change
                    .run()
                    .map(Run::id)
                    .map(RunId::toString)
                    .or(() -> change.audit().map(AuditEntry::action))
                    .orElse(""))
        .toList();
  }

  @Test
  void changes_come_in_the_order_of_their_transactions() {
    psql.execute(change("schedule.created"));
    psql.execute(end(1, "2026-03-01T00:00:01Z"));
    psql.execute(change("schedule.paused"));

    String run = new RunId(1, NOW.plusSeconds(1), 0).toString();
    assertThat(names(all(begin))).containsExactly("schedule.created", run, "schedule.paused");
  }

  @Test
  void what_commits_late_is_waited_for_and_not_lost() throws SQLException {
    try (Connection slow = postgres.getConnection()) {
      slow.setAutoCommit(false);
      try (var statement = slow.createStatement()) {
        statement.execute(change("schedule.slow"));
      }
      psql.execute(change("schedule.quick"));
      assertThat(changes.between(begin, changes.snapshot().place(NOW), 1_000)).isEmpty();
      slow.commit();
    }

    assertThat(names(all(begin))).containsExactly("schedule.slow", "schedule.quick");
  }

  @Test
  void a_place_that_is_written_and_read_goes_on_behind_its_change() {
    psql.execute(change("schedule.created"));
    psql.execute(
        end(1, "2026-03-01T00:00:01Z")
            + ";"
            + end(2, "2026-03-01T00:00:01Z")
            + ";"
            + change("schedule.paused")
            + ";"
            + end(1, "2026-03-01T00:00:02Z"));
    psql.execute(change("schedule.resumed"));
    List<Change> whole = all(begin);
    var piece = new ArrayList<Change>();
    ChangePosition place = begin;
    for (List<Change> next = one(place); !next.isEmpty(); next = one(place)) {
      piece.addAll(next);
      place = ChangePosition.parse(next.get(0).place().toString()).orElseThrow();
    }

    assertThat(whole).hasSize(6);
    assertThat(names(piece)).isEqualTo(names(whole));
  }

  private List<Change> one(ChangePosition after) {
    return changes.between(after, SettledSnapshot.of(changes).place(NOW), 1);
  }

  @Test
  void what_is_about_no_schedule_and_what_was_asked_of_runs_is_left_out() {
    psql.execute(change("run.retried"));
    psql.execute(
        "insert into carillon.audit (at, actor, action) values ('2026-03-01T00:00:00Z', 'ada', 'token.created')");

    assertThat(all(begin)).isEmpty();
  }

  @Test
  void only_places_are_read() {
    assertThat(ChangePosition.parse("7-8-a9"))
        .contains(new ChangePosition(7, Instant.ofEpochSecond(8), Optional.empty(), 9));
    for (String none :
        List.of(
            "", "7", "7-8-", "7-8-9", "-7-8-a9", "7-999999999999-a9", "7-8-" + "f".repeat(36))) {
      assertThat(ChangePosition.parse(none)).as(none).isEmpty();
    }
  }
}
