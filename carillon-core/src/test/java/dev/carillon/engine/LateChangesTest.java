package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.Carillon;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.Decision;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.Pause;
import dev.carillon.policy.CatchUp;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Changes whose process read the clock before the slots they follow were decided about. */
@ExtendWith(EmbeddedPostgres.class)
class LateChangesTest {
  private static final Duration EVERY = Duration.ofSeconds(10);

  private final Belfry belfry;
  private final RecordingTarget bell = new RecordingTarget();
  private final ManualCarillon node;
  private final DatabaseClock time;
  private final Carillon behind;

  LateChangesTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node = belfry.node(builder -> builder.target("bell", bell));
    time = new DatabaseClock(belfry.clock()::instant, belfry.clock()::nanos);
    behind =
        Carillon.builder()
            .dataSource(postgres)
            .migrate(false)
            .target("bell", bell)
            .buildManual(time, Runnable::run, engine -> {});
  }

  @BeforeEach
  void decide_about_slots_that_one_process_does_not_know_have_come() {
    node.schedules()
        .create(ScheduleDraft.named("often").target("bell").every(EVERY).catchUp(CatchUp.skip()));
    belfry.clock().advance(Duration.ofSeconds(95));
    time.sync();
    belfry.clock().step(Duration.ofMinutes(5));
    node.runDue();
    assertThat(decided()).isNotEmpty();
  }

  @AfterEach
  void close() {
    behind.close();
    belfry.close();
  }

  private List<DroppedSlots> decided() {
    return node.schedules().decisions("often", Instant.EPOCH, Instant.MAX, 100).stream()
        .map(Decision::droppedSlots)
        .toList();
  }

  private void goOn() {
    belfry.pass(Duration.ofMinutes(2), node);
  }

  /* Each slot has its run or is in one decision. */
  private void assertEachSlotCountsOnce() {
    Stream<Instant> dropped =
        decided().stream()
            .flatMap(
                one -> Stream.iterate(one.first(), slot -> slot.plus(EVERY)).limit(one.slots()));
    List<Instant> slots = Stream.concat(dropped, bell.slots().stream()).sorted().toList();
    assertThat(slots)
        .containsExactlyElementsOf(
            Stream.iterate(slots.get(0), slot -> slot.plus(EVERY)).limit(slots.size()).toList());
  }

  @Test
  void a_new_version_decides_about_no_slot_again() {
    behind.schedules().patch("often", draft -> draft.description("edited"));
    goOn();

    assertEachSlotCountsOnce();
  }

  @Test
  void a_pause_decides_about_no_slot_again() {
    behind.schedules().pause("often", "a pause");
    goOn();
    node.schedules().resume("often");
    goOn();

    assertEachSlotCountsOnce();
  }

  @Test
  void a_pause_to_come_that_has_come_decides_about_no_slot_again() {
    Instant from = belfry.clock().instant().minusSeconds(95);
    behind.schedules().pause("often", Pause.because("a plan").startingAt(from));
    goOn();
    node.schedules().resume("often");
    goOn();

    assertEachSlotCountsOnce();
  }

  @Test
  void a_retired_schedule_that_returns_decides_about_no_slot_again() {
    behind.schedules().retire("often");
    behind
        .schedules()
        .upsert(ScheduleDraft.named("often").target("bell").every(EVERY).catchUp(CatchUp.skip()));
    goOn();

    assertEachSlotCountsOnce();
  }
}
