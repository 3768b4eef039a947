package dev.carillon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.model.ChangeResult;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.ScheduleVersion;
import dev.carillon.store.jdbc.Announcement;
import dev.carillon.store.jdbc.Announcements;
import dev.carillon.store.jdbc.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Changes of the same schedules at the same time, and who hears of them. */
@ExtendWith(EmbeddedPostgres.class)
class SchedulesTogetherTest {
  private static final int THREADS = 4;

  private final String key = "k-" + UUID.randomUUID();
  private final ScheduleDraft minutely = ScheduleDraft.named(key).target("log").cron("* * * * *");
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final Instant now = Instant.parse("2026-03-01T10:00:30Z");
  private final DataSource postgres;
  private final Psql psql;
  private final Schedules schedules;

  SchedulesTogetherTest(DataSource postgres) {
    this.postgres = postgres;
    psql = new Psql(postgres);
    schedules =
        SchedulesOn.database(
            new Database(postgres), () -> now, Set.of("log"), event -> {}, () -> {});
  }

  @AfterEach
  void end_the_threads() {
    threads.shutdownNow();
  }

  @Test
  void of_many_who_save_the_same_one_creates_and_none_changes() {
    List<ChangeResult> saved = together(any -> schedules.upsert(minutely));

    assertThat(saved)
        .extracting(ChangeResult::change)
        .containsOnlyOnce(ChangeResult.Change.CREATED)
        .filteredOn(change -> change != ChangeResult.Change.CREATED)
        .containsOnly(ChangeResult.Change.UNCHANGED);
    assertThat(schedules.versions(key)).hasSize(1);
  }

  @Test
  void of_many_who_save_different_things_each_makes_a_version() {
    List<ChangeResult> saved =
        together(number -> schedules.upsert(minutely.description("by " + number)));

    assertThat(saved).extracting(one -> one.schedule().version()).doesNotHaveDuplicates();
    assertThat(schedules.versions(key))
        .extracting(ScheduleVersion::version)
        .containsExactly(4, 3, 2, 1);
  }

  @Test
  void no_edit_is_lost() {
    schedules.create(minutely.maxRuns(1_000));

    together(
        number -> {
          for (int i = 0; i < 10; i++) {
            schedules.patch(
                key,
                draft ->
                    draft.maxRuns(schedules.get(key).orElseThrow().definition().maxRuns() + 1));
          }
          return number;
        });

    assertThat(schedules.get(key).orElseThrow().definition().maxRuns()).isEqualTo(1_040);
    assertThat(schedules.get(key).orElseThrow().version()).isEqualTo(41);
    assertThat(
            psql.rows(
                """
                select count(*)
                  from carillon.schedule_version as version
                  join carillon.schedule
                    on schedule.id = version.schedule_id
                 where schedule.key = ?
                   and version.retired_at is null
                """,
                key))
        .containsExactly("1");
  }

  @Test
  void of_many_who_expect_the_same_version_one_changes_it() {
    schedules.create(minutely);

    List<ChangeResult> saved =
        together(
            number ->
                schedules.patch(key, 1, draft -> draft.description("by " + number)).orElseThrow());

    assertThat(saved)
        .extracting(ChangeResult::change)
        .containsOnlyOnce(ChangeResult.Change.NEW_VERSION)
        .filteredOn(change -> change != ChangeResult.Change.NEW_VERSION)
        .containsOnly(ChangeResult.Change.STALE);
  }

  @Test
  void what_is_retired_is_the_version_that_was_meant() {
    for (int round = 0; round < 10; round++) {
      String one = key + "-" + round;
      schedules.create(ScheduleDraft.named(one).target("log").cron("* * * * *"));

      List<ChangeResult> saved =
          together(
              number ->
                  number == 0
                      ? schedules.retire(one, 1).orElseThrow()
                      : schedules
                          .patch(one, draft -> draft.description("by " + number))
                          .orElseGet(
                              () -> new ChangeResult(get(one), ChangeResult.Change.UNCHANGED)));

      boolean retired =
          saved.stream().anyMatch(done -> done.change() == ChangeResult.Change.RETIRED);
      assertThat(get(one).status() == ScheduleStatus.RETIRED).isEqualTo(retired);
      assertThat(get(one).version() == 1).isEqualTo(retired);
    }
  }

  private Schedule get(String one) {
    return schedules.get(one).orElseThrow();
  }

  @Test
  void pausing_resuming_and_editing_at_once_end_in_one_of_these() {
    schedules.create(minutely);

    together(
        number -> {
          for (int i = 0; i < 10; i++) {
            switch ((number + i) % 4) {
              case 0 -> schedules.pause(key, "by " + number);
              case 1 -> schedules.resume(key);
              case 2 -> schedules.upsert(minutely.description("by " + number + i));
              default -> schedules.patch(key, draft -> draft.payload("i", number));
            }
          }
          return number;
        });

    var schedule = schedules.get(key).orElseThrow();
    assertThat(schedule.nextSlot().isPresent())
        .isEqualTo(schedule.status() == ScheduleStatus.ACTIVE);
  }

  @Test
  void batches_with_the_same_keys_in_another_order_create_each_once() {
    List<ScheduleDraft> drafts =
        IntStream.range(0, 2_000)
            .mapToObj(i -> ScheduleDraft.named(key + i).target("log").cron("@daily"))
            .collect(Collectors.toCollection(ArrayList::new));

    List<Long> created =
        together(
            number -> {
              var own = new ArrayList<>(drafts);
              if (number % 2 == 0) {
                Collections.reverse(own);
              }
              return schedules.createAll(own);
            });

    assertThat(created.stream().mapToLong(Long::longValue).sum()).isEqualTo(2_000);
  }

  @Test
  void other_nodes_hear_of_what_comes_soon_and_only_of_that() {
    try (var announcements = new Announcements(postgres)) {
      assertThat(announcements.listening()).isTrue();

      schedules.create(ScheduleDraft.named("far-" + key).target("log").cron("0 0 1 1 *"));
      assertThat(announcements.await(Duration.ofMillis(200))).isEmpty();

      schedules.create(minutely);
      assertThat(announcements.await(Duration.ofSeconds(5))).containsExactly(Announcement.PLAN);
      schedules.pause(key, "why");
      schedules.resume(key);
      assertThat(announcements.await(Duration.ofSeconds(5))).containsExactly(Announcement.PLAN);
    }
  }

  private <T> List<T> together(Work<T> work) {
    var barrier = new CyclicBarrier(THREADS);
    List<Callable<T>> calls =
        IntStream.range(0, THREADS)
            .<Callable<T>>mapToObj(
                number ->
                    () -> {
                      barrier.await();
                      return work.by(number);
                    })
            .toList();
    try {
      var results = new ArrayList<T>();
      for (Future<T> future : threads.invokeAll(calls)) {
        results.add(future.get());
      }
      return results;
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  private interface Work<T> {
    T by(int number);
  }
}
