package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Wiretap;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.policy.Expectation;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Schedules that are expected to succeed: one escalation per silence, and health says so. */
@ExtendWith(EmbeddedPostgres.class)
class SilenceTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Expectation HOURLY =
      Expectation.successEvery(HOUR).grace(Duration.ofMinutes(10)).escalateTo("page");

  private final Belfry belfry;
  private final Wiretap wiretap;
  private final RecordingTarget job = new RecordingTarget();
  private final RecordingTarget page = new RecordingTarget();
  private final ManualCarillon node;

  SilenceTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    wiretap = new Wiretap(postgres);
    node =
        belfry.nodeOn(
            wiretap.dataSource(), builder -> builder.target("job", job).target("page", page));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private static ScheduleDraft hourly() {
    return ScheduleDraft.named("hourly").target("job").cron("0 * * * *").expect(HOURLY);
  }

  private List<String> reasons() {
    return node.carillon().health().reasons();
  }

  private <T extends Event> List<T> told(Class<T> type) {
    return node.events().stream().filter(type::isInstance).map(type::cast).toList();
  }

  @Test
  void a_schedule_that_succeeds_is_not_silent() {
    node.schedules().create(hourly());
    node.pass(Duration.ofHours(5));

    assertThat(job.calls()).hasSize(5);
    assertThat(page.calls()).isEmpty();
    assertThat(reasons()).isEmpty();
  }

  @Test
  void a_schedule_that_fails_for_too_long_is_escalated_once_and_unhealthy_until_it_succeeds() {
    node.schedules().create(hourly());
    node.pass(HOUR);
    job.failing("broken");
    node.pass(Duration.ofMinutes(69));
    assertThat(page.calls()).isEmpty();
    assertThat(reasons()).isEmpty();
    node.pass(MINUTE);

    assertThat(page.calls()).hasSize(1);
    assertThat(page.calls().get(0).payload().content())
        .containsEntry("event", "success.overdue")
        .containsEntry("schedule", "hourly")
        .containsEntry("lastSuccess", "2026-03-01T01:00:00Z")
        .containsEntry("overdueAt", "2026-03-01T02:10:00Z")
        .containsEntry("silentFor", "PT1H10M")
        .containsEntry(
            "text",
            "schedule 'hourly' has not succeeded since 2026-03-01T01:00:00Z, for 1h10m; a success"
                + " is expected every 1h, with a grace of 10m");
    assertThat(reasons())
        .containsExactly(
            "silent: 1 of the schedules and pings did not succeed for as long as expected: hourly");
    assertThat(node.carillon().health().numbers()).containsEntry("silent", 1L);
    assertThat(told(Event.Silent.class))
        .singleElement()
        .satisfies(
            silent -> {
              assertThat(silent.schedule()).isEqualTo("hourly");
              assertThat(silent.since()).isEqualTo(Instant.parse("2026-03-01T01:00:00Z"));
              assertThat(silent.escalation()).isPresent();
            });

    node.pass(Duration.ofHours(3));
    assertThat(page.calls()).hasSize(1);
    assertThat(node.runs().list(RunFilter.all().correlation("expect:hourly")))
        .extracting(Run::target)
        .containsExactly("page");

    job.then(context -> {});
    node.pass(HOUR.plus(MINUTE));
    assertThat(reasons()).isEmpty();
    assertThat(told(Event.SilenceEnded.class)).hasSize(1);
  }

  @Test
  void each_silence_is_escalated() {
    node.schedules().create(hourly());
    for (int silences = 1; silences <= 2; silences++) {
      job.then(context -> {});
      node.pass(Duration.ofHours(2));
      job.failing("broken");
      node.pass(Duration.ofHours(3));
      assertThat(page.calls()).hasSize(silences);
    }
  }

  @Test
  void a_schedule_that_never_ran_is_silent_from_when_it_was_stored() {
    node.schedules()
        .create(ScheduleDraft.named("yearly").target("job").cron("0 0 1 1 *").expect(HOURLY));
    node.pass(Duration.ofMinutes(70));

    assertThat(page.calls()).hasSize(1);
    assertThat(page.calls().get(0).payload().content()).containsEntry("lastSuccess", null);
  }

  @Test
  void silence_is_noticed_after_an_outage_by_a_node_that_cannot_run_it() {
    node.schedules().create(hourly());
    node.pass(HOUR);
    node.close();
    belfry.clock().advance(Duration.ofHours(5));
    ManualCarillon other = belfry.node(builder -> builder.remoteTarget("job").target("page", page));
    other.runDue();

    assertThat(page.calls()).hasSize(1);
  }

  @Test
  void a_pause_stops_the_clock_which_starts_anew_when_it_is_resumed() {
    node.schedules().create(hourly());
    node.pass(HOUR);
    node.schedules().pause("hourly", "a holiday");
    node.pass(Duration.ofDays(1));
    assertThat(page.calls()).isEmpty();
    assertThat(reasons()).isEmpty();

    job.failing("broken");
    node.schedules().resume("hourly");
    node.pass(Duration.ofMinutes(69));
    assertThat(page.calls()).isEmpty();
    node.pass(MINUTE.multipliedBy(2));
    assertThat(page.calls()).hasSize(1);
  }

  @Test
  void a_pause_ends_a_silence() {
    job.failing("broken");
    node.schedules().create(hourly());
    node.pass(Duration.ofMinutes(70));
    assertThat(reasons()).isNotEmpty();
    node.schedules().pause("hourly", "to be repaired");
    assertThat(reasons()).isEmpty();
    node.pass(MINUTE);

    assertThat(told(Event.SilenceEnded.class)).hasSize(1);
  }

  @Test
  void what_is_no_longer_expected_is_forgotten() {
    node.schedules().create(hourly());
    node.schedules().upsert(hourly().expectNothing());
    node.schedules()
        .create(ScheduleDraft.named("gone").target("job").cron("@daily").expect(HOURLY));
    node.schedules().retire("gone");
    node.pass(Duration.ofHours(2));

    assertThat(belfry.psql().rows("select 1 from carillon.expectation")).isEmpty();
    assertThat(page.calls()).isEmpty();
  }

  @Test
  void without_a_target_health_alone_says_so() {
    job.failing("broken");
    node.schedules().create(hourly().expect(Expectation.successEvery(HOUR)));
    node.pass(Duration.ofHours(2));

    assertThat(reasons()).isNotEmpty();
    assertThat(page.calls()).isEmpty();
    assertThat(told(Event.Silent.class)).hasSize(1);
  }

  @Test
  void a_silence_whose_commit_was_not_confirmed_is_escalated_once() {
    job.failing("broken");
    node.schedules().create(hourly());
    node.pass(Duration.ofMinutes(69));
    belfry.clock().advance(MINUTE);
    node.turn(EngineLoop.HEARTBEAT);
    wiretap.loseNextConfirmation();
    assertThatThrownBy(() -> node.turn(EngineLoop.DEADLINES)).isInstanceOf(StoreException.class);
    node.runDue();
    node.pass(HOUR);

    assertThat(page.calls()).hasSize(1);
  }

  @Test
  void many_that_fall_silent_at_once_are_escalated_in_batches_by_two_nodes() {
    ManualCarillon other = belfry.node(builder -> builder.remoteTarget("job").remoteTarget("page"));
    node.schedules()
        .createAll(
            IntStream.range(0, 1_200)
                .mapToObj(
                    number ->
                        ScheduleDraft.named("silent-" + number)
                            .target("job")
                            .cron("0 0 1 1 *")
                            .expect(HOURLY))
                .toList());
    node.turn(EngineLoop.DEADLINES);
    node.turn(EngineLoop.DEADLINES);
    node.turn(EngineLoop.DEADLINES);
    belfry.clock().advance(Duration.ofMinutes(70));
    node.turn(EngineLoop.HEARTBEAT);
    other.turn(EngineLoop.HEARTBEAT);
    node.turn(EngineLoop.DEADLINES);
    other.turn(EngineLoop.DEADLINES);
    node.turn(EngineLoop.DEADLINES);
    other.turn(EngineLoop.DEADLINES);

    assertThat(
            belfry
                .psql()
                .rows("select distinct correlation from carillon.run where target = 'page'"))
        .hasSize(1_200);
    assertThat(belfry.psql().rows("select 1 from carillon.run where target = 'page'"))
        .hasSize(1_200);
    assertThat(reasons().get(reasons().size() - 1))
        .startsWith(
            "silent: 1200 of the schedules and pings did not succeed for as long as expected: silent-")
        .endsWith(", …");
  }

  @Test
  void bad_expectations_are_refused_with_the_field_and_the_cure() {
    assertThatThrownBy(() -> Expectation.successEvery(Duration.ofSeconds(1)))
        .hasMessage("a success is expected every 1m to 400d; was PT1S");
    assertThatThrownBy(() -> node.schedules().create(hourly().expect(HOURLY.escalateTo("pge"))))
        .hasMessageContaining("unknown target 'pge'; known are page")
        .extracting("field")
        .isEqualTo(Optional.of("expect/escalateTo"));
  }
}
