package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.ChangeResult;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.policy.CalendarPolicy;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Deadline;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Retry;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.BusinessCalendarBuilder;
import dev.carillon.time.business.Roll;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Durations that are counted in working time. Tests begin on Friday, 6 March 2026, at 15:00. */
@ExtendWith(EmbeddedPostgres.class)
class WorkingTimeTest {
  private static final ZoneId ROME = ZoneId.of("Europe/Rome");
  private static final Duration EIGHT_HOURS = Duration.ofHours(8);

  private final Belfry belfry;
  private final RecordingTarget page = new RecordingTarget();
  private final List<LocalDateTime> tries = new ArrayList<>();
  private final List<Optional<LocalDateTime>> ends = new ArrayList<>();
  private final ManualCarillon node;

  WorkingTimeTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node =
        belfry.node(
            builder ->
                builder
                    .target("page", page)
                    .target(
                        "failing",
                        run -> {
                          tries.add(local(belfry.clock().instant()));
                          throw new IllegalStateException("no");
                        })
                    .target("ending", run -> ends.add(run.deadline().map(WorkingTimeTest::local))));
  }

  @BeforeEach
  void calendar() {
    belfry.clock().advanceTo(at("2026-03-06T15:00"));
    node.runDue();
    node.carillon().calendars().save(italy().build());
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private static BusinessCalendarBuilder italy() {
    return BusinessCalendar.named("it", ROME).weekdayHours("09:00-13:00", "14:00-18:00");
  }

  private static LocalDateTime local(Instant instant) {
    return LocalDateTime.ofInstant(instant, ROME);
  }

  private static Instant at(String local) {
    return LocalDateTime.parse(local).atZone(ROME).toInstant();
  }

  private void passTo(String local) {
    belfry.clock().advanceTo(at(local));
    node.pass(Duration.ofSeconds(3));
  }

  @Test
  void a_run_starts_when_so_much_working_time_has_passed() {
    RunId id = node.runs().enqueue(RunDraft.of("page").in(EIGHT_HOURS, "it"));

    assertThat(local(node.runs().get(id).orElseThrow().dueAt())).isEqualTo("2026-03-09T15:00");
    node.carillon()
        .calendars()
        .save(
            CalendarDefinition.of(
                italy().holiday(LocalDate.parse("2026-03-09"), "A feast").build()),
            "");
    assertThat(local(node.runs().get(id).orElseThrow().dueAt())).isEqualTo("2026-03-09T15:00");
  }

  @Test
  void a_deadline_of_a_run_counts_working_time_from_when_it_is_due() {
    node.runs()
        .enqueue(
            RunDraft.of("page")
                .in(Duration.ofDays(30))
                .deadline(Deadline.after(Duration.ofHours(4), "page").calendar("it")));
    RunId id =
        node.runs()
            .enqueue(
                RunDraft.of("failing")
                    .retry(Retry.times(2).backoff(Duration.ofDays(20)))
                    .deadline(Deadline.after(Duration.ofHours(4), "page").calendar("it")));
    node.runDue();
    passTo("2026-03-09T09:59");
    assertThat(page.slots()).isEmpty();
    passTo("2026-03-09T10:00:01");

    assertThat(page.slots()).hasSize(1);
    assertThat(node.runs().get(id)).isPresent();
  }

  @Test
  void a_deadline_of_a_schedule_counts_working_time() {
    node.schedules()
        .upsert(
            ScheduleDraft.named("report")
                .target("failing")
                .cron("0 16 * * *", ROME)
                .calendar(CalendarPolicy.of("it", Roll.FOLLOWING))
                .retry(Retry.times(2).backoff(Duration.ofDays(20)))
                .deadline(Deadline.after(Duration.ofHours(4), "page").calendar("it")));
    node.pass(Duration.ofSeconds(2));
    passTo("2026-03-06T15:59:30");
    node.pass(Duration.ofSeconds(60));
    passTo("2026-03-09T10:59");
    assertThat(page.slots()).isEmpty();
    passTo("2026-03-09T11:00:02");

    assertThat(page.slots()).hasSize(1);
  }

  @Test
  void a_time_of_day_is_looked_for_after_the_day_on_which_the_run_is_due() {
    node.schedules()
        .upsert(
            ScheduleDraft.named("report")
                .target("failing")
                .businessDayOfMonth(6, LocalTime.of(9, 0), "it")
                .retry(Retry.times(2).backoff(Duration.ofDays(20)))
                .deadline(Deadline.at(LocalTime.NOON, "page")));
    passTo("2026-03-09T08:59:30");
    node.pass(Duration.ofSeconds(60));
    assertThat(tries).hasSize(1);
    assertThat(page.slots()).isEmpty();
    passTo("2026-03-09T12:00:01");

    assertThat(page.slots()).hasSize(1);
  }

  @Test
  void pauses_between_tries_count_working_time() {
    node.runs()
        .enqueue(
            RunDraft.of("failing")
                .retry(Retry.times(3).backoff(Duration.ofHours(4)).factor(1).calendar("it")));
    node.pass(Duration.ofSeconds(1));
    passTo("2026-03-06T19:30");
    passTo("2026-03-09T09:59");
    assertThat(tries).hasSize(1);
    passTo("2026-03-09T10:00:01");
    assertThat(tries).hasSize(2);
    passTo("2026-03-09T14:59");
    assertThat(tries).hasSize(2);
    passTo("2026-03-09T15:00:05");

    assertThat(tries).hasSize(3);
  }

  @Test
  void the_time_of_an_attempt_counts_working_time_from_its_start() {
    RunId id = node.runs().enqueue(RunDraft.of("ending").timeout(EIGHT_HOURS, "it"));
    node.pass(Duration.ofSeconds(1));
    Run run = node.runs().get(id).orElseThrow();

    assertThat(ends)
        .singleElement()
        .extracting(Optional::orElseThrow)
        .satisfies(
            end ->
                assertThat(end)
                    .isBetween(
                        LocalDateTime.parse("2026-03-09T15:00:00"),
                        LocalDateTime.parse("2026-03-09T15:00:02")));
    assertThat(run.policy().timeout()).contains(EIGHT_HOURS);
    assertThat(run.policy().timeoutCalendar()).contains("it");
  }

  @Test
  void a_calendar_that_counts_working_time_cannot_be_deleted() {
    ScheduleDraft draft = ScheduleDraft.named("report").target("page").cron("0 2 * * *");
    List<ScheduleDraft> drafts =
        List.of(
            draft.timeout(EIGHT_HOURS, "it"),
            draft.retry(Retry.times(2).calendar("it")),
            draft.deadline(Deadline.after(EIGHT_HOURS, "page").calendar("it")));
    for (ScheduleDraft one : drafts) {
      node.schedules().upsert(one);
      assertThat(node.carillon().calendars().delete("it").users().firstSchedules())
          .containsExactly("report");
      assertThat(node.schedules().upsert(one).change()).isEqualTo(ChangeResult.Change.UNCHANGED);
    }
  }

  @Test
  void a_calendar_that_has_too_little_working_time_by_now_stops_nothing() {
    Duration weeks = Duration.ofHours(200);
    node.schedules()
        .upsert(
            ScheduleDraft.named("report")
                .target("failing")
                .every(Duration.ofMinutes(1))
                .overlap(Overlap.ALLOW)
                .timeout(weeks, "it")
                .retry(Retry.times(2).backoff(weeks).calendar("it"))
                .deadline(Deadline.after(weeks, "page").calendar("it")));
    node.schedules()
        .upsert(ScheduleDraft.named("other").target("page").every(Duration.ofMinutes(1)));
    node.carillon().calendars().save(fridaysAtNine());
    node.pass(Duration.ofSeconds(150));

    assertThat(tries).hasSizeGreaterThanOrEqualTo(2);
    assertThat(page.slots()).hasSizeGreaterThanOrEqualTo(2);
    assertThat(node.schedules().runNow("report")).isPresent();
    assertThat(page.calls()).noneMatch(run -> run.schedule().isEmpty());
    passTo("2027-03-07T15:00");
    assertThat(page.calls()).anyMatch(run -> run.schedule().isEmpty());
  }

  private static BusinessCalendar fridaysAtNine() {
    return BusinessCalendar.named("it", ROME)
        .weekend(EnumSet.complementOf(EnumSet.of(DayOfWeek.FRIDAY)))
        .hours(DayOfWeek.FRIDAY, "09:00-09:01")
        .build();
  }

  @Test
  void what_cannot_be_counted_is_refused_with_the_field_and_the_cure() {
    ScheduleDraft draft = ScheduleDraft.named("report").target("page").cron("0 2 * * *");
    String unknown = "there is no calendar 'nowhere'; create it first, or use one of: it";
    refused("timeoutCalendar", unknown, draft.timeout(EIGHT_HOURS, "nowhere"));
    refused("retry/calendar", unknown, draft.retry(Retry.times(2).calendar("nowhere")));
    refused(
        "deadline/calendar",
        unknown,
        draft.deadline(Deadline.after(EIGHT_HOURS, "page").calendar("nowhere")));
    refused(
        "timeoutCalendar",
        "365d of working time takes longer than a year: calendar 'it' has 86d",
        draft.timeout(Duration.ofDays(365), "it"));
    refused("calendar", unknown, RunDraft.of("page").in(EIGHT_HOURS, "nowhere"));
    refused(
        "deadline/calendar",
        unknown,
        RunDraft.of("page").deadline(Deadline.after(EIGHT_HOURS, "page").calendar("nowhere")));
    refused("timeoutCalendar", unknown, RunDraft.of("page").timeout(EIGHT_HOURS, "nowhere"));
    refused("retry/calendar", unknown, RunDraft.of("page").retry(Retry.NONE.calendar("nowhere")));
    assertThat(node.runs().list(RunFilter.all())).isEmpty();
  }

  private void refused(String field, String message, ScheduleDraft draft) {
    refused(field, message, () -> node.schedules().upsert(draft.catchUp(CatchUp.skip())));
  }

  private void refused(String field, String message, RunDraft draft) {
    refused(field, message, () -> node.runs().enqueue(draft));
  }

  private static void refused(String field, String message, Runnable work) {
    assertThatThrownBy(work::run)
        .hasMessageContaining(message)
        .isInstanceOfSatisfying(
            InvalidValueException.class, e -> assertThat(e.field()).contains(field));
  }
}
