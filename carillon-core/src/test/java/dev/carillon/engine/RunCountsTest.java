package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Gen;
import dev.carillon.fixture.Property;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.model.RunCounts;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Retry;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How many runs ended how: always as many as the history has. */
@ExtendWith(EmbeddedPostgres.class)
class RunCountsTest {
  private final Belfry belfry;
  private final SlowTarget slow = new SlowTarget();
  private final ManualCarillon node;

  RunCountsTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node =
        belfry.node(
            builder ->
                builder
                    .target("bell", context -> {})
                    .target(
                        "cracked",
                        context -> {
                          throw new IllegalStateException("cracked");
                        })
                    .asyncTarget("slow", slow));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private List<String> tallied() {
    return belfry
        .psql()
        .rows(
            """
            select hour, target, state, sum(runs)
              from carillon.exact_run_count
             group by hour, target, state
            having sum(runs) <> 0
             order by hour, target, state
            """);
  }

  private List<String> counted() {
    return belfry
        .psql()
        .rows(
            """
            select date_bin('1 hour', slot, 'epoch') as hour, target, state, count(*)
              from carillon.history
             group by 1, 2, 3
             order by 1, 2, 3
            """);
  }

  private Instant anHourAgo() {
    return belfry.clock().instant().minus(Duration.ofHours(1));
  }

  private Instant soon() {
    return belfry.clock().instant().plusSeconds(1);
  }

  @Property(cases = 10)
  void tallies_are_what_counting_the_history_finds(Gen any) {
    var ids = new ArrayList<RunId>();
    for (int step = any.number(5, 40); step > 0; step--) {
      switch (any.number(0, 6)) {
        case 0 -> ids.add(node.runs().enqueue(RunDraft.of("bell")));
        case 1 -> ids.add(node.runs().enqueue(RunDraft.of("cracked")));
        case 2 ->
            ids.add(
                node.runs()
                    .enqueue(
                        RunDraft.of("cracked")
                            .retry(Retry.times(2).backoff(Duration.ofSeconds(1)))
                            .in(any.upTo(Duration.ofHours(2)))));
        case 3 -> {
          if (!ids.isEmpty()) {
            node.runs().cancel(any.oneOf(ids), "not wanted");
          }
        }
        case 4 -> {
          if (!ids.isEmpty()) {
            node.runs().retry(any.oneOf(ids));
          }
        }
        case 5 -> {
          belfry.clock().advance(any.upTo(Duration.ofMinutes(40)));
          node.runDue();
        }
        default -> {
          node.turn(EngineLoop.HEARTBEAT);
          node.turn(EngineLoop.HOUSEKEEPING);
        }
      }
      assertThat(tallied()).isEqualTo(counted());
    }
  }

  @Test
  void runs_that_are_skipped_count_too() {
    node.schedules()
        .create(
            ScheduleDraft.named("slow")
                .target("slow")
                .every(Duration.ofMinutes(1))
                .overlap(Overlap.SKIP));
    node.pass(Duration.ofMinutes(3));

    assertThat(node.runs().counts(anHourAgo(), soon()).get(RunState.SKIPPED)).isPositive();
    assertThat(tallied()).isEqualTo(counted());
  }

  @Test
  void counts_are_by_state_hour_and_target() {
    node.runs().enqueue(RunDraft.of("bell"));
    node.runs().enqueue(RunDraft.of("cracked"));
    node.runDue();
    Instant first = belfry.clock().instant();
    belfry.clock().advance(Duration.ofHours(1));
    node.runs().enqueueAll(List.of(RunDraft.of("bell"), RunDraft.of("bell")));
    node.runDue();
    Instant second = belfry.clock().instant();

    assertThat(node.runs().counts(first, soon()))
        .isEqualTo(Map.of(RunState.SUCCEEDED, 3L, RunState.FAILED, 1L));
    assertThat(node.runs().countsByHour(first, soon()))
        .containsExactly(
            new RunCounts<>(first, Map.of(RunState.SUCCEEDED, 1L, RunState.FAILED, 1L)),
            new RunCounts<>(second, Map.of(RunState.SUCCEEDED, 2L)));
    assertThat(node.runs().countsByTarget(first, soon()))
        .containsExactly(
            new RunCounts<>("bell", Map.of(RunState.SUCCEEDED, 3L)),
            new RunCounts<>("cracked", Map.of(RunState.FAILED, 1L)));
    assertThat(node.runs().counts(second, soon())).isEqualTo(Map.of(RunState.SUCCEEDED, 2L));
  }

  @Test
  void a_period_counts_in_whole_hours() {
    node.runs().enqueue(RunDraft.of("bell"));
    node.runDue();
    Instant hour = belfry.clock().instant();

    assertThat(node.runs().counts(hour.plusSeconds(1_800), hour.plusSeconds(1_801))).isNotEmpty();
    assertThat(node.runs().counts(hour.minusSeconds(3_600), hour)).isEmpty();
    assertThat(node.runs().counts(Instant.MIN, Instant.MAX)).isNotEmpty();
  }

  @Test
  void folding_changes_no_count_and_leaves_one_row_for_many() {
    for (int i = 0; i < 5; i++) {
      node.runs().enqueue(RunDraft.of("bell"));
      node.runDue();
    }
    node.turn(EngineLoop.HEARTBEAT);
    node.turn(EngineLoop.HOUSEKEEPING);
    node.runs().enqueue(RunDraft.of("bell"));
    node.runDue();
    node.turn(EngineLoop.HOUSEKEEPING);

    assertThat(belfry.psql().rows("select runs from carillon.run_count")).containsExactly("6");
    assertThat(belfry.psql().rows("select runs from carillon.run_count_delta")).isEmpty();
  }

  @Test
  void tallies_are_dropped_with_the_runs_they_count() {
    node.runs().enqueue(RunDraft.of("bell"));
    node.runDue();
    node.turn(EngineLoop.HEARTBEAT);
    node.turn(EngineLoop.HOUSEKEEPING);
    belfry.clock().advance(Duration.ofDays(200));
    node.turn(EngineLoop.HEARTBEAT);
    node.turn(EngineLoop.HOUSEKEEPING);

    assertThat(tallied()).isEmpty();
    assertThat(counted()).isEmpty();
  }
}
