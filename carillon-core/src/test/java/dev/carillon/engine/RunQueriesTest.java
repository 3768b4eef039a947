package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Gen;
import dev.carillon.fixture.Property;
import dev.carillon.model.RecentRun;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Lists of runs hold what was asked for, all of it, in order, whatever index they are read by. */
@ExtendWith(EmbeddedPostgres.class)
class RunQueriesTest {
  private static final List<String> TARGETS = List.of("bell", "gong", "chime");

  private final Belfry belfry;
  private final ManualCarillon node;

  RunQueriesTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node =
        belfry.node(
            builder -> {
              for (String target : TARGETS) {
                builder.target(
                    target,
                    context -> {
                      if (context.payload().number("fails").isPresent()) {
                        throw new IllegalStateException("cracked");
                      }
                    });
              }
            });
    node.turn(EngineLoop.HEARTBEAT);
    node.turn(EngineLoop.HOUSEKEEPING);
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private RunDraft draft(Gen any) {
    Instant slot =
        belfry
            .clock()
            .instant()
            .minus(any.percent(60) ? any.upTo(Duration.ofSeconds(5)) : any.upTo(Duration.ofDays(9)))
            .plusMillis(any.oneOf(0, 0, 250, 999));
    RunDraft draft = RunDraft.of(any.oneOf(TARGETS)).at(slot);
    return any.percent(15) ? draft.payload("fails", 1) : draft;
  }

  private void someRuns(Gen any) {
    for (int batch = any.number(1, 3); batch > 0; batch--) {
      for (int runs = any.number(1, 40); runs > 0; runs--) {
        RunId id = node.runs().enqueue(draft(any));
        if (any.percent(10)) {
          node.runs().cancel(id, "not wanted");
        }
      }
      belfry.clock().advance(any.upTo(Duration.ofMinutes(10)).plusSeconds(6));
      node.runDue();
    }
    for (int pending = any.number(0, 5); pending > 0; pending--) {
      node.runs().enqueue(RunDraft.of(any.oneOf(TARGETS)).in(Duration.ofDays(any.number(1, 9))));
    }
  }

  private RunFilter anyFilter(Gen any) {
    RunFilter filter = RunFilter.all().limit(any.number(1, 20));
    if (any.percent(60)) {
      filter = filter.state(any.oneOf(RunState.values()));
    }
    if (any.percent(60)) {
      filter = filter.target(any.oneOf("bell", "gong", "chime", "nobody"));
    }
    if (any.percent(40)) {
      Instant from = belfry.clock().instant().minus(any.upTo(Duration.ofDays(10)));
      filter = filter.between(from, from.plus(any.upTo(Duration.ofDays(10))).plusMillis(500));
    }
    return filter;
  }

  private List<RunId> pages(RunFilter filter) {
    var ids = new ArrayList<RunId>();
    List<Run> page = node.runs().list(filter);
    while (!page.isEmpty()) {
      page.forEach(run -> ids.add(run.id()));
      page = node.runs().list(filter.after(page.get(page.size() - 1).id()));
    }
    return ids;
  }

  private List<String> plainly(RunFilter filter) {
    return belfry
        .psql()
        .rows(
            """
            select schedule_id, slot, ordinal
              from carillon.any_run
             where state = coalesce(?, state)
               and target = coalesce(?, target)
               and slot >= ?
               and slot < ?
             order by slot desc, schedule_id desc, ordinal desc
            """,
            filter.state().map(state -> state.name().toLowerCase(Locale.ROOT)),
            filter.target(),
            filter.from(),
            filter.until());
  }

  private static List<String> texts(List<RunId> ids) {
    return ids.stream().map(id -> id.schedule() + " " + id.slot() + " " + id.ordinal()).toList();
  }

  @Property(cases = 10)
  void the_pages_of_a_list_are_what_a_plain_look_finds(Gen any) {
    someRuns(any);
    for (int i = 0; i < 20; i++) {
      RunFilter filter = anyFilter(any);
      assertThat(texts(pages(filter))).as("%s", filter).isEqualTo(plainly(filter));
    }
  }

  @Test
  void runs_of_a_schedule_are_listed_by_state_too() {
    node.schedules()
        .create(
            ScheduleDraft.named("hourly")
                .target("bell")
                .payload("fails", 1)
                .every(Duration.ofHours(1)));
    node.pass(Duration.ofHours(3));

    assertThat(node.runs().list(RunFilter.bySchedule("hourly").state(RunState.FAILED))).hasSize(3);
    assertThat(node.runs().list(RunFilter.bySchedule("hourly").state(RunState.SUCCEEDED)))
        .isEmpty();
    assertThat(node.runs().list(RunFilter.bySchedule("hourly").limit(2))).hasSize(2);
    assertThat(node.runs().list(RunFilter.bySchedule("nobody"))).isEmpty();
  }

  @Test
  void recent_runs_of_many_schedules_are_one_look() {
    for (String key : List.of("one", "two", "never")) {
      node.schedules()
          .create(
              ScheduleDraft.named(key)
                  .target("bell")
                  .every(key.equals("never") ? Duration.ofDays(300) : Duration.ofMinutes(1)));
    }
    node.pass(Duration.ofMinutes(5));

    Map<String, List<RecentRun>> recent =
        node.runs().recent(List.of("two", "one", "never", "nobody"), 3);

    List<RecentRun> two = recent.getOrDefault("two", List.of());
    assertThat(recent).containsOnlyKeys("one", "two");
    assertThat(two).hasSize(3);
    assertThat(two)
        .allSatisfy(
            run -> {
              assertThat(run.state()).isEqualTo(RunState.SUCCEEDED);
              assertThat(run.finishedAt()).isPresent();
            });
    assertThat(two.stream().map(run -> run.id().slot()))
        .isSortedAccordingTo(Comparator.reverseOrder());
  }
}
