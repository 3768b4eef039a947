package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.PingDraft;
import dev.carillon.Pings;
import dev.carillon.Pings.Answer;
import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Wiretap;
import dev.carillon.model.Ping;
import dev.carillon.model.Ping.Kind;
import dev.carillon.model.PingCheck;
import dev.carillon.model.RunFilter;
import dev.carillon.model.Scope;
import dev.carillon.policy.PingExpectation;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import dev.carillon.time.Cron;
import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Work that runs elsewhere and pings: once down, one escalation until it succeeds. */
@ExtendWith(EmbeddedPostgres.class)
class PingsTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final PingDraft BACKUP =
      PingDraft.of("backup", PingExpectation.successEvery(HOUR).grace(Duration.ofMinutes(10)))
          .escalateTo("page");

  private final Belfry belfry;
  private final Wiretap wiretap;
  private final RecordingTarget page = new RecordingTarget();
  private final ManualCarillon node;
  private final Pings pings;

  PingsTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    wiretap = new Wiretap(postgres);
    node = belfry.nodeOn(wiretap.dataSource(), builder -> builder.target("page", page));
    pings = node.carillon().pings();
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private Answer ping(Kind kind) {
    return pings.ping("backup", kind, Optional.empty(), Optional.empty(), Optional.empty());
  }

  private PingCheck backup() {
    return pings.get("backup").orElseThrow();
  }

  @Test
  void work_that_pings_in_time_is_up() {
    assertThat(pings.put(BACKUP)).isTrue();
    assertThat(backup().status()).isEqualTo(PingCheck.Status.NEW);
    for (int hours = 0; hours < 4; hours++) {
      node.pass(HOUR);
      assertThat(ping(Kind.SUCCESS)).isEqualTo(Answer.HEARD);
    }

    assertThat(backup().status()).isEqualTo(PingCheck.Status.UP);
    assertThat(page.calls()).isEmpty();
    assertThat(node.carillon().health().reasons()).isEmpty();
  }

  @Test
  void work_that_falls_silent_is_escalated_once_until_it_succeeds() {
    pings.put(BACKUP);
    ping(Kind.SUCCESS);
    node.pass(Duration.ofMinutes(69));
    ping(Kind.START);
    assertThat(page.calls()).isEmpty();
    node.pass(Duration.ofMinutes(1));
    assertThat(page.calls()).hasSize(1);
    node.pass(Duration.ofHours(9));

    assertThat(page.calls()).hasSize(1);
    assertThat(page.calls().get(0).payload().content())
        .containsEntry("event", "ping.overdue")
        .containsEntry("ping", "backup")
        .containsEntry("lastSuccess", "2026-03-01T00:00:00Z")
        .containsEntry("lastStart", "2026-03-01T01:09:00Z")
        .containsEntry(
            "text",
            "ping 'backup' has not succeeded since 2026-03-01T00:00:00Z, for 1h10m; expected is a"
                + " success every 1h, with a grace of 10m");
    assertThat(backup().status()).isEqualTo(PingCheck.Status.DOWN);
    assertThat(node.carillon().health().reasons())
        .containsExactly(
            "silent: 1 of the schedules and pings did not succeed for as long as expected: ping"
                + " backup");

    ping(Kind.SUCCESS);
    node.runDue();
    assertThat(backup().status()).isEqualTo(PingCheck.Status.UP);
    assertThat(node.carillon().health().reasons()).isEmpty();
    assertThat(node.events()).filteredOn(Event.PingUp.class::isInstance).hasSize(1);
    node.pass(Duration.ofMinutes(70));
    assertThat(page.calls()).hasSize(2);
  }

  @Test
  void a_failure_after_a_success_that_no_node_has_looked_at_is_told_as_well() {
    pings.put(BACKUP);
    ping(Kind.FAIL);
    node.runDue();
    ping(Kind.SUCCESS);
    assertThat(backup().toldDownSince()).isEmpty();
    ping(Kind.FAIL);
    node.runDue();

    assertThat(page.calls()).hasSize(2);
    assertThat(node.events()).filteredOn(Event.PingDown.class::isInstance).hasSize(2);
    assertThat(node.events()).filteredOn(Event.PingUp.class::isInstance).hasSize(1);
  }

  @Test
  void a_failure_is_escalated_at_once_with_what_it_printed() {
    pings.put(BACKUP);
    pings.ping(
        "backup",
        Kind.FAIL,
        Optional.of(Duration.ofMillis(1500)),
        Optional.of(2),
        Optional.of("disk full"));
    ping(Kind.FAIL);
    node.runDue();
    ping(Kind.FAIL);
    node.pass(HOUR);

    assertThat(page.calls()).hasSize(1);
    assertThat(page.calls().get(0).payload().text("event")).contains("ping.failed");
    assertThat(pings.recent("backup"))
        .extracting(Ping::exitCode)
        .containsExactly(Optional.empty(), Optional.empty(), Optional.of(2));
    assertThat(pings.recent("backup").get(2).duration()).contains(Duration.ofMillis(1500));
    assertThat(pings.recent("backup").get(2).output()).contains("disk full");
  }

  @Test
  void a_success_is_expected_after_each_slot_of_a_cron_expression() {
    Cron nightly = Cron.parse("0 2 * * *", ZoneId.of("Europe/Rome"));
    pings.put(
        PingDraft.of("backup", PingExpectation.after(nightly).grace(HOUR)).escalateTo("page"));
    node.pass(Duration.ofHours(1).plusMinutes(30));
    ping(Kind.SUCCESS);
    node.pass(Duration.ofHours(24));
    assertThat(page.calls()).isEmpty();
    node.pass(HOUR);

    assertThat(page.calls()).hasSize(1);
    assertThat(backup().overdueAt()).contains(java.time.Instant.parse("2026-03-02T02:00:00Z"));
  }

  @Test
  void another_node_notices_after_a_restart() {
    pings.put(BACKUP);
    node.close();
    belfry.clock().advance(Duration.ofHours(3));
    belfry.node(builder -> builder.target("page", page)).runDue();

    assertThat(page.calls()).hasSize(1);
  }

  @Test
  void an_escalation_whose_commit_was_not_confirmed_is_there_once() {
    pings.put(BACKUP);
    ping(Kind.FAIL);
    wiretap.loseNextConfirmation();
    assertThatThrownBy(() -> node.turn(EngineLoop.DEADLINES)).isInstanceOf(StoreException.class);
    node.runDue();

    assertThat(page.calls()).hasSize(1);
  }

  @Test
  void the_same_definition_again_changes_nothing_and_another_starts_the_clock_anew() {
    assertThat(pings.put(BACKUP)).isTrue();
    node.pass(Duration.ofMinutes(30));
    assertThat(pings.put(BACKUP)).isFalse();
    assertThat(backup().updated().at()).isEqualTo(backup().created().at());
    pings.put(PingDraft.of("backup", PingExpectation.successEvery(HOUR)));

    assertThat(backup().updated().at()).isAfter(backup().created().at());
    assertThat(backup().escalateTo()).isEmpty();
  }

  @Test
  void the_last_hundred_pings_are_kept_and_a_minute_has_sixty() {
    pings.put(BACKUP);
    for (int minutes = 0; minutes < 2; minutes++) {
      for (int i = 0; i < 60; i++) {
        assertThat(ping(Kind.START)).isEqualTo(Answer.HEARD);
      }
      assertThat(ping(Kind.START)).isEqualTo(Answer.TOO_MANY);
      belfry.clock().advance(Duration.ofMinutes(1));
    }

    assertThat(pings.recent("backup")).hasSize(100);
  }

  @Test
  void a_ping_that_changes_how_work_stands_is_heard_in_a_flood_of_others() {
    pings.put(BACKUP);
    for (int i = 0; i < 100; i++) {
      ping(Kind.SUCCESS);
      ping(Kind.START);
    }
    assertThat(ping(Kind.SUCCESS)).isEqualTo(Answer.TOO_MANY);
    assertThat(ping(Kind.FAIL)).isEqualTo(Answer.HEARD);
    assertThat(ping(Kind.FAIL)).isEqualTo(Answer.TOO_MANY);
    node.runDue();
    assertThat(page.calls()).hasSize(1);
    assertThat(ping(Kind.SUCCESS)).isEqualTo(Answer.HEARD);
    for (int i = 0; i < 100; i++) {
      ping(Kind.FAIL);
      ping(Kind.SUCCESS);
    }

    assertThat(pings.recent("backup")).hasSize(90);
  }

  @Test
  void the_story_of_a_failure_is_told_though_the_work_has_begun_anew() {
    pings.put(BACKUP);
    pings.ping("backup", Kind.FAIL, Optional.empty(), Optional.of(2), Optional.of("disk full"));
    ping(Kind.START);
    node.runDue();

    assertThat(page.calls()).hasSize(1);
    assertThat(page.calls().get(0).payload().content())
        .containsEntry("exitCode", 2L)
        .containsEntry("output", "disk full");
  }

  @Test
  void what_is_deleted_is_not_pinged() {
    pings.put(BACKUP);
    ping(Kind.SUCCESS);

    assertThat(pings.delete("backup")).isTrue();
    assertThat(pings.delete("backup")).isFalse();
    assertThat(ping(Kind.SUCCESS)).isEqualTo(Answer.UNKNOWN);
    assertThat(belfry.psql().rows("select 1 from carillon.ping")).isEmpty();
  }

  @Test
  void a_scope_reaches_pings_by_key_and_tag() {
    pings.put(BACKUP);
    Pings mine = pings.within(new Scope(List.of(), List.of(), List.of("back")));
    Pings other = pings.within(new Scope(List.of(), List.of(), List.of("front")));
    Pings targets = pings.within(new Scope(List.of("page"), List.of(), List.of()));

    assertThat(mine.get("backup")).isPresent();
    assertThat(other.get("backup")).isEmpty();
    assertThat(other.page(Optional.empty(), 10).items()).isEmpty();
    assertThat(targets.page(Optional.empty(), 10).items()).isEmpty();
    assertThat(mine.page(Optional.empty(), 10).items()).hasSize(1);
    assertThat(other.delete("backup")).isFalse();
    assertThatThrownBy(() -> other.put(BACKUP))
        .hasMessage("your token reaches only keys that begin with one of these: front");
    assertThatThrownBy(() -> targets.put(BACKUP)).hasMessageContaining("no pings");
  }

  @Test
  void bad_input_is_refused() {
    assertThatThrownBy(() -> pings.put(BACKUP.escalateTo("pge")))
        .hasMessage("ping 'backup' has the unknown target 'pge'; known are page");
    assertThatThrownBy(() -> PingDraft.of("a/b", PingExpectation.successEvery(HOUR)))
        .hasMessageContaining("no slash");
    pings.put(BACKUP);
    assertThatThrownBy(
            () ->
                pings.ping(
                    "backup",
                    Kind.SUCCESS,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of("x".repeat(10_001))))
        .hasMessage("the output has at most 10000 bytes; this has 10001; send its end");
  }

  @Test
  void pings_count_in_the_order_in_which_they_are_heard_whatever_clock_heard_them() {
    pings.put(BACKUP);
    ping(Kind.FAIL);
    ping(Kind.SUCCESS);
    assertThat(backup().status()).isEqualTo(PingCheck.Status.UP);
    ping(Kind.FAIL);
    assertThat(backup().status()).isEqualTo(PingCheck.Status.DOWN);
    ping(Kind.START);
    ping(Kind.SUCCESS);
    node.runDue();

    assertThat(backup().status()).isEqualTo(PingCheck.Status.UP);
    assertThat(page.calls()).isEmpty();
  }

  @Test
  void a_cron_expression_that_names_no_time_to_come_is_refused() {
    Cron never = Cron.parse("0 0 0 1 1 ? 2020", ZoneId.of("UTC"));

    assertThatThrownBy(() -> pings.put(PingDraft.of("backup", PingExpectation.after(never))))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith("the cron expression names no time to come");
    assertThat(pings.get("backup")).isEmpty();
  }

  @Test
  void a_long_key_is_cut_between_characters_to_find_its_escalation_by() {
    String key = "a".repeat(194) + "\uD83D\uDD14b";
    pings.put(PingDraft.of(key, PingExpectation.successEvery(HOUR)).escalateTo("page"));
    node.pass(HOUR);

    assertThat(node.runs().list(RunFilter.all().target("page")))
        .singleElement()
        .satisfies(run -> assertThat(run.correlation()).contains("ping:" + "a".repeat(194)));
  }
}
