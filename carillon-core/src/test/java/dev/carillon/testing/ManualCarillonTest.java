package dev.carillon.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.ScheduleDraft;
import dev.carillon.event.Event;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
class ManualCarillonTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  private final TestClock clock = TestClock.at(START);
  private final RecordingTarget bell = new RecordingTarget();
  private final ManualCarillon carillon;

  ManualCarillonTest(DataSource postgres) {
    carillon = ManualCarillon.on(postgres).clock(clock).target("bell", bell).start();
  }

  @AfterEach
  void retireAll() {
    List.of("daily", "paused").forEach(carillon.schedules()::retire);
    carillon.close();
  }

  @Test
  void weeks_pass_and_every_run_starts_when_it_is_due() {
    carillon.schedules().upsert(ScheduleDraft.named("daily").target("bell").cron("0 2 * * *"));

    carillon.pass(Duration.ofDays(28));

    assertThat(bell.slots())
        .containsExactlyElementsOf(
            Stream.iterate(START.plus(Duration.ofHours(2)), slot -> slot.plus(Duration.ofDays(1)))
                .limit(28)
                .toList());
    assertThat(carillon.runs().ofSchedule("daily"))
        .hasSize(28)
        .extracting(Run::lateness)
        .allSatisfy(lateness -> assertThat(lateness).contains(Duration.ZERO));
    assertThat(clock.instant()).isEqualTo(START.plus(Duration.ofDays(28)));
  }

  @Test
  void a_node_stays_alive_while_nothing_is_due() {
    List<Event> before = carillon.events();

    carillon.pass(Duration.ofDays(365));

    assertThat(carillon.events()).isEqualTo(before);
  }

  @Test
  void a_pause_ends_when_it_was_to_end() {
    carillon.schedules().upsert(ScheduleDraft.named("paused").target("bell").cron("0 2 * * *"));
    carillon.schedules().pause("paused", "no ringer", START.plus(Duration.ofDays(10)));

    carillon.pass(Duration.ofDays(11));

    assertThat(bell.slots()).containsExactly(START.plus(Duration.ofDays(10).plusHours(2)));
  }
}
