package dev.carillon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunState;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.model.UpcomingSlot;
import dev.carillon.policy.CatchUp;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** When schedules fire next, of which some is planned already and some is not. */
@ExtendWith(EmbeddedPostgres.class)
class UpcomingTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Belfry belfry;
  private final ManualCarillon node;
  private final Instant start;

  UpcomingTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node = belfry.node(builder -> builder.target("bell", context -> {}));
    start = belfry.clock().instant();
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private static ScheduleDraft named(String key) {
    return ScheduleDraft.named(key).target("bell");
  }

  private List<Instant> next(String key, int count) {
    return node.schedules().preview(key, count).orElseThrow().stream()
        .map(UpcomingSlot::slot)
        .toList();
  }

  private List<Instant> seconds(int... seconds) {
    return IntStream.of(seconds).mapToObj(second -> start.plusSeconds(second)).toList();
  }

  private Run firstPlanned() {
    List<Run> planned =
        node.runs().list(RunFilter.all().state(RunState.PENDING).limit(RunFilter.MAX_PAGE));
    return planned.get(planned.size() - 1);
  }

  @Test
  void what_is_planned_comes_before_what_is_to_be_planned() {
    node.schedules().create(named("tick").every(SECOND));
    assertThat(next("tick", 3)).isEqualTo(seconds(1, 2, 3));

    node.runDue();

    assertThat(node.schedules().get("tick").orElseThrow().nextSlot().orElseThrow())
        .isAfter(start.plusSeconds(30));
    assertThat(next("tick", 3)).isEqualTo(seconds(1, 2, 3));
    assertThat(next("tick", 100))
        .hasSize(100)
        .doesNotHaveDuplicates()
        .isSorted()
        .endsWith(start.plusSeconds(100));
    node.pass(Duration.ofSeconds(7));
    assertThat(next("tick", 2)).isEqualTo(seconds(8, 9));
  }

  @Test
  void many_are_asked_at_once_with_the_same_answers() {
    node.schedules().create(named("tick").every(SECOND));
    node.schedules().create(named("hourly").cron("0 * * * *"));
    node.schedules().create(named("once").at(start.plusSeconds(30)));
    node.schedules().create(named("after").every(Duration.ofMinutes(1)).afterFinish());
    node.schedules().create(named("stopped").every(SECOND));
    node.schedules().create(named("resting").every(SECOND));
    node.schedules().pause("stopped", "why");
    node.schedules().pause("resting", "why", start.plusSeconds(3_600));
    node.pass(Duration.ofSeconds(5));

    List<Schedule> all = node.schedules().list(ScheduleFilter.all());
    Map<String, List<UpcomingSlot>> next = node.schedules().upcoming(all, 1);

    assertThat(next.keySet()).containsExactlyElementsOf(all.stream().map(Schedule::key).toList());
    assertThat(next)
        .allSatisfy(
            (key, slots) ->
                assertThat(slots).isEqualTo(node.schedules().preview(key, 1).orElseThrow()));
    assertThat(next.values().stream().flatMap(List::stream).map(UpcomingSlot::slot))
        .containsExactly(
            start.plusSeconds(60),
            start.plusSeconds(3_600),
            start.plusSeconds(30),
            start.plusSeconds(3_601),
            start.plusSeconds(6));
    assertThat(node.schedules().upcoming(List.of(), 1)).isEmpty();
  }

  @Test
  void a_slot_whose_run_was_canceled_is_not_to_come() {
    node.schedules().create(named("tick").every(SECOND));
    node.runDue();

    node.runs().cancel(firstPlanned().id(), "not today");

    assertThat(next("tick", 2)).isEqualTo(seconds(2, 3));
  }

  @Test
  void planned_runs_count_among_the_most_there_may_be() {
    node.schedules().create(named("tick").every(SECOND).maxRuns(3));
    node.runDue();
    assertThat(next("tick", 5)).isEqualTo(seconds(1, 2, 3));

    node.pass(Duration.ofSeconds(2));

    assertThat(next("tick", 5)).isEqualTo(seconds(3));
  }

  @Test
  void a_run_that_is_due_after_its_slot_is_to_come_until_then() {
    UpcomingSlot late = shifted(fire -> fire.dueAt().isAfter(fire.slot().plusSeconds(2)));
    belfry.clock().advanceTo(late.slot().minusSeconds(10));
    node.runDue();

    belfry.clock().advanceTo(late.slot().plusSeconds(1));
    assertThat(next("shifted", 1)).containsExactly(late.slot());
    belfry.clock().advanceTo(late.dueAt());
    assertThat(next("shifted", 1)).containsExactly(late.slot().plus(Duration.ofHours(1)));
  }

  @Test
  void a_run_that_was_due_before_its_slot_is_not_to_come_any_more() {
    UpcomingSlot early = shifted(fire -> fire.dueAt().isBefore(fire.slot().minusSeconds(2)));
    belfry.clock().advanceTo(early.dueAt());
    node.runDue();

    assertThat(next("shifted", 1)).containsExactly(early.slot().plus(Duration.ofHours(1)));
  }

  private UpcomingSlot shifted(Predicate<UpcomingSlot> wanted) {
    node.schedules().create(named("shifted").cron("0 * * * *").jitter(Duration.ofMinutes(20)));
    return node.schedules().preview("shifted", 100).orElseThrow().stream()
        .skip(1)
        .filter(wanted)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void what_was_missed_and_is_made_up_for_later_is_nothing_to_come() {
    node.schedules().create(named("spread").cron("0 * * * *").catchUp(CatchUp.spread()));
    belfry.clock().advance(Duration.ofMinutes(150));
    node.runDue();

    assertThat(next("spread", 1)).containsExactly(start.plus(Duration.ofHours(3)));
  }
}
