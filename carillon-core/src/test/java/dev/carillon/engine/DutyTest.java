package dev.carillon.engine;

import static dev.carillon.engine.Chime.events;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The duty that one node of many has. */
@ExtendWith(EmbeddedPostgres.class)
class DutyTest {
  private static final Duration LEASE = Duration.ofSeconds(15);

  private final Chime chime;

  DutyTest(DataSource postgres) {
    chime = new Chime(postgres);
  }

  @AfterEach
  void close() {
    chime.close();
  }

  @Test
  void one_node_has_the_duty_of_housekeeping() {
    ManualCarillon one = chime.node();
    ManualCarillon other = chime.node();
    one.turn(EngineLoop.HOUSEKEEPING);
    other.turn(EngineLoop.HOUSEKEEPING);

    assertThat(events(one, Event.Leading.class))
        .extracting(Event.Leading::holds)
        .containsExactly(true);
    assertThat(events(other, Event.Leading.class)).isEmpty();
  }

  @Test
  void a_duty_that_is_renewed_is_kept() {
    ManualCarillon one = chime.node();
    ManualCarillon other = chime.node();
    for (int i = 0; i < 10; i++) {
      one.turn(EngineLoop.HEARTBEAT);
      other.turn(EngineLoop.HEARTBEAT);
      one.turn(EngineLoop.HOUSEKEEPING);
      other.turn(EngineLoop.HOUSEKEEPING);
      chime.belfry.clock().advance(Duration.ofSeconds(5));
    }

    assertThat(events(other, Event.Leading.class)).isEmpty();
  }

  @Test
  void a_duty_is_taken_over_when_its_lease_is_over() {
    ManualCarillon one = chime.node();
    ManualCarillon other = chime.node();
    one.turn(EngineLoop.HOUSEKEEPING);
    chime.belfry.clock().advance(LEASE);
    other.turn(EngineLoop.HEARTBEAT);
    other.turn(EngineLoop.HOUSEKEEPING);
    one.turn(EngineLoop.HOUSEKEEPING);

    assertThat(events(other, Event.Leading.class))
        .extracting(Event.Leading::holds)
        .containsExactly(true);
    assertThat(events(one, Event.Leading.class))
        .extracting(Event.Leading::holds)
        .containsExactly(true, false);
  }

  @Test
  void a_node_that_leaves_gives_its_duty_up_at_once() {
    ManualCarillon one = chime.node();
    ManualCarillon other = chime.node();
    one.turn(EngineLoop.HOUSEKEEPING);
    one.close();
    other.turn(EngineLoop.HOUSEKEEPING);

    assertThat(events(other, Event.Leading.class))
        .extracting(Event.Leading::holds)
        .containsExactly(true);
  }
}
