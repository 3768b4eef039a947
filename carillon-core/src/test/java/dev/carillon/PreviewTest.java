package dev.carillon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.AuditFilter;
import dev.carillon.model.UpcomingSlot;
import dev.carillon.store.jdbc.Database;
import dev.carillon.time.Warning;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is to come of a schedule, or of a draft of one. */
@ExtendWith(EmbeddedPostgres.class)
class PreviewTest {
  private final String key = "k-" + UUID.randomUUID();
  private final ScheduleDraft hourly = ScheduleDraft.named(key).target("log").cron("0 * * * *");
  private final Schedules schedules;
  private Instant now = Instant.parse("2026-03-01T10:30:00Z");

  PreviewTest(DataSource postgres) {
    schedules =
        SchedulesOn.database(
            new Database(postgres), () -> now, Set.of("log"), event -> {}, () -> {});
  }

  @Test
  void a_preview_shows_slots_with_their_local_time_and_what_the_clocks_do() {
    List<UpcomingSlot> fires =
        schedules.preview(
            hourly.cron("30 2 * * *", "Europe/Rome").from(Instant.parse("2026-03-28T00:00:00Z")),
            3);

    assertThat(fires)
        .extracting(fire -> fire.local().toLocalDateTime().toString())
        .containsExactly("2026-03-28T02:30", "2026-03-29T03:00", "2026-03-30T02:30");
    assertThat(fires.get(1).note()).contains("moved from 02:30, which the clocks skip that day");
  }

  @Test
  void a_preview_knows_about_jitter_and_the_end() {
    schedules.create(hourly.jitter(Duration.ofMinutes(5)).maxRuns(2));

    List<UpcomingSlot> fires = schedules.preview(key, 5).orElseThrow();

    assertThat(fires).hasSize(2);
    assertThat(fires)
        .allSatisfy(
            fire ->
                assertThat(Duration.between(fire.slot(), fire.dueAt()).abs())
                    .isLessThanOrEqualTo(Duration.ofMinutes(5)));
  }

  @Test
  void a_paused_schedule_has_slots_to_come_only_if_its_pause_ends() {
    schedules.create(hourly);
    schedules.pause(key, "why");
    assertThat(schedules.preview(key, 5).orElseThrow()).isEmpty();

    schedules.pause(key, "why", Instant.parse("2026-03-01T20:10:00Z"));
    assertThat(schedules.preview(key, 1).orElseThrow())
        .extracting(UpcomingSlot::slot)
        .containsExactly(Instant.parse("2026-03-01T21:00:00Z"));

    schedules.retire(key);
    assertThat(schedules.preview(key, 5).orElseThrow()).isEmpty();
  }

  @Test
  void of_an_interval_after_the_finish_only_the_next_slot_is_known() {
    ScheduleDraft draft = hourly.every(Duration.ofMinutes(1)).afterFinish();
    schedules.create(draft);

    assertThat(schedules.preview(key, 5).orElseThrow())
        .extracting(UpcomingSlot::slot)
        .containsExactly(now.plusSeconds(60));
    assertThat(schedules.preview(draft, 5)).hasSize(1);
  }

  @Test
  void counts_are_bounded() {
    assertRefused(() -> schedules.preview(key, 0), "count must be from 1 to 1000; was 0");
    assertRefused(
        () -> schedules.audit(AuditFilter.all(), 1001), "count must be from 1 to 1000; was 1001");
  }

  @Test
  void a_check_stores_nothing_and_says_what_is_odd() {
    assertThat(schedules.validate(hourly.cron("30 2 * * *", "Europe/Rome")))
        .extracting(Warning::code)
        .contains("DST_GAP");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedules.validate(hourly.target("unknown")));
    assertThat(schedules.get(key)).isEmpty();
  }

  private void assertRefused(Runnable call, String message) {
    assertThatIllegalArgumentException().isThrownBy(call::run).withMessage(message);
  }
}
