package dev.carillon;

import static dev.carillon.model.ChangeResult.Change.CREATED;
import static dev.carillon.model.ChangeResult.Change.NEW_VERSION;
import static dev.carillon.model.ChangeResult.Change.PAUSED;
import static dev.carillon.model.ChangeResult.Change.RESUMED;
import static dev.carillon.model.ChangeResult.Change.RETIRED;
import static dev.carillon.model.ChangeResult.Change.STALE;
import static dev.carillon.model.ChangeResult.Change.TAKEN;
import static dev.carillon.model.ChangeResult.Change.UNCHANGED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.carillon.event.Event;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.model.AuditEntry;
import dev.carillon.model.AuditFilter;
import dev.carillon.model.ChangeResult;
import dev.carillon.model.Payload;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.ScheduleVersion;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.time.Cron;
import dev.carillon.time.Once;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
class SchedulesTest {
  private static final Set<String> TARGETS =
      Set.of("log", "noop", "send-report", "send-mail", "bill", "archive");

  private final String key = "k-" + UUID.randomUUID();
  private final ScheduleDraft hourly = ScheduleDraft.named(key).target("log").cron("0 * * * *");
  private final List<Event> events = new ArrayList<>();
  private final AtomicInteger wakeUps = new AtomicInteger();
  private final Psql psql;
  private final Schedules schedules;
  private Instant now = Instant.parse("2026-03-01T10:30:00Z");

  SchedulesTest(DataSource postgres) {
    psql = new Psql(postgres);
    schedules =
        SchedulesOn.database(
            new Database(postgres), () -> now, TARGETS, events::add, wakeUps::incrementAndGet);
  }

  @Test
  void a_created_schedule_can_be_found_with_its_next_slot() {
    ChangeResult changeResult =
        schedules.as("ada").create(hourly.payload("to", "ops").description("why").tags("reports"));

    Schedule schedule = schedules.get(key).orElseThrow();
    assertThat(changeResult).isEqualTo(new ChangeResult(schedule, CREATED));
    assertThat(schedule.version()).isEqualTo(1);
    assertThat(schedule.status()).isEqualTo(ScheduleStatus.ACTIVE);
    assertThat(schedule.nextSlot()).contains(Instant.parse("2026-03-01T11:00:00Z"));
    assertThat(schedule.created().by()).isEqualTo("ada");
    assertThat(schedule.created().at()).isEqualTo(now);
    assertThat(schedule.definition().payload()).isEqualTo(Payload.of("to", "ops"));
    assertThat(schedule.definition().tags()).containsExactly("reports");
    assertThat(schedule.definition().description()).isEqualTo("why");
    assertThat(schedule.definition().timing()).isEqualTo(Cron.parse("0 * * * *"));
  }

  @Test
  void a_schedule_is_also_found_by_its_number() {
    Schedule schedule = schedules.create(hourly).schedule();

    assertThat(schedules.getById(schedule.id())).contains(schedule);
    assertThat(schedules.getById(0)).isEmpty();
    assertThat(schedules.getById(Long.MAX_VALUE)).isEmpty();
  }

  @Test
  void a_taken_key_is_left_as_it_is() {
    schedules.create(hourly);

    ChangeResult second = schedules.create(hourly.description("other"));

    assertThat(second.change()).isEqualTo(TAKEN);
    assertThat(second.schedule().definition().description()).isEmpty();
  }

  @Test
  void a_retired_schedule_keeps_its_key() {
    schedules.create(hourly);
    schedules.retire(key);

    ChangeResult second = schedules.create(hourly);

    assertThat(second.change()).isEqualTo(TAKEN);
    assertThat(second.schedule().status()).isEqualTo(ScheduleStatus.RETIRED);
  }

  @Test
  void saving_the_same_twice_has_the_effect_of_once() {
    ScheduleDraft draft = hourly.payload(Payload.json("{\"n\": 1e2, \"b\": [1.50], \"a\": {}}"));

    assertThat(schedules.upsert(draft).change()).isEqualTo(CREATED);
    pass(Duration.ofMinutes(5));
    ChangeResult second = schedules.upsert(draft);

    assertThat(second.change()).isEqualTo(UNCHANGED);
    assertThat(second.schedule().version()).isEqualTo(1);
    assertThat(second.schedule().updated().at()).isEqualTo(second.schedule().created().at());
    assertThat(audit()).containsExactly("schedule.created");
  }

  @Test
  void saving_something_else_makes_a_new_version() {
    schedules.upsert(hourly);
    pass(Duration.ofMinutes(5));
    ChangeResult changed = schedules.as("ada").upsert(hourly.cron("0 0 * * *"));

    assertThat(changed.change()).isEqualTo(NEW_VERSION);
    assertThat(changed.schedule().version()).isEqualTo(2);
    assertThat(changed.schedule().updated().by()).isEqualTo("ada");
    assertThat(changed.schedule().nextSlot()).contains(Instant.parse("2026-03-02T00:00:00Z"));
    List<ScheduleVersion> versions = schedules.versions(key);
    assertThat(versions).extracting(ScheduleVersion::version).containsExactly(2, 1);
    assertThat(versions.get(0).supersedes()).contains(1);
    assertThat(versions.get(0).retiredAt()).isEmpty();
    assertThat(versions.get(1).retiredAt()).contains(now);
    assertThat(schedules.version(key, 1)).contains(versions.get(1));
    assertThat(schedules.version(key, 3)).isEmpty();
  }

  @Test
  void each_field_counts_as_a_difference() {
    schedules.create(hourly);

    assertThat(schedules.upsert(hourly.payload("a", 1)).change()).isEqualTo(NEW_VERSION);
    assertThat(schedules.upsert(hourly.payload("a", 2)).change()).isEqualTo(NEW_VERSION);
    assertThat(schedules.upsert(hourly.target("noop")).change()).isEqualTo(NEW_VERSION);
    assertThat(schedules.upsert(hourly.target("noop").tags("x")).change()).isEqualTo(NEW_VERSION);
    assertThat(schedules.upsert(hourly.target("noop").tags("x")).change()).isEqualTo(UNCHANGED);
  }

  @Test
  void a_retired_schedule_that_is_saved_again_fires_again() {
    schedules.create(hourly.maxRuns(3));
    schedules.retire(key);

    ChangeResult revived = schedules.upsert(hourly.maxRuns(3));

    assertThat(revived.change()).isEqualTo(NEW_VERSION);
    assertThat(revived.schedule().version()).isEqualTo(2);
    assertThat(revived.schedule().status()).isEqualTo(ScheduleStatus.ACTIVE);
    assertThat(revived.schedule().nextSlot()).isPresent();
  }

  @Test
  void a_one_shot_that_is_over_may_be_saved_again_and_stays_over() {
    ScheduleDraft draft = ScheduleDraft.named(key).target("log").at(now.plusSeconds(60));
    schedules.upsert(draft);
    schedules.retire(key);
    pass(Duration.ofDays(1));

    assertThat(schedules.upsert(draft).change()).isEqualTo(UNCHANGED);
  }

  @Test
  void a_patch_changes_what_it_names_and_keeps_the_rest() {
    schedules.create(hourly.payload("to", "ops").tags("a"));

    ChangeResult patched = schedules.patch(key, draft -> draft.description("new")).orElseThrow();

    assertThat(patched.change()).isEqualTo(NEW_VERSION);
    assertThat(patched.schedule().definition().description()).isEqualTo("new");
    assertThat(patched.schedule().definition().payload()).isEqualTo(Payload.of("to", "ops"));
    assertThat(schedules.patch(key, draft -> draft.description("new")).orElseThrow().change())
        .isEqualTo(UNCHANGED);
  }

  @Test
  void a_version_that_is_gone_is_not_retired() {
    schedules.create(hourly);
    schedules.patch(key, draft -> draft.description("first"));

    ChangeResult late = schedules.retire(key, 1).orElseThrow();

    assertThat(late.change()).isEqualTo(STALE);
    assertThat(late.schedule().status()).isEqualTo(ScheduleStatus.ACTIVE);
    assertThat(schedules.retire(key, 2).orElseThrow().change()).isEqualTo(RETIRED);
    assertThat(schedules.retire(key, 1).orElseThrow().change()).isEqualTo(STALE);
    assertThat(schedules.retire(key + "-unknown", 1)).isEmpty();
  }

  @Test
  void a_patch_of_a_version_that_is_gone_changes_nothing() {
    schedules.create(hourly);
    schedules.patch(key, draft -> draft.description("first"));

    ChangeResult late = schedules.patch(key, 1, draft -> draft.description("late")).orElseThrow();

    assertThat(late.change()).isEqualTo(STALE);
    assertThat(late.schedule().version()).isEqualTo(2);
    assertThat(schedules.patch(key, 2, draft -> draft.description("now")).orElseThrow().change())
        .isEqualTo(NEW_VERSION);
  }

  @Test
  void a_patch_cannot_move_a_schedule_to_another_key() {
    schedules.create(hourly);

    assertRefused(
        () -> schedules.patch(key, draft -> ScheduleDraft.named("other").target("log")),
        "the key of a schedule stays; schedule '%s' was given a draft of 'other'; create another"
            + " schedule instead");
  }

  @Test
  void a_rollback_is_a_new_version_like_an_old_one() {
    schedules.create(hourly);
    schedules.upsert(hourly.cron("0 0 * * *"));

    ChangeResult back = schedules.rollback(key, 1).orElseThrow();

    assertThat(back.schedule().version()).isEqualTo(3);
    assertThat(back.schedule().definition().timing()).isEqualTo(Cron.parse("0 * * * *"));
    assertThat(schedules.rollback(key, 3).orElseThrow().change()).isEqualTo(UNCHANGED);
    assertThat(schedules.rollback(key, 9)).isEmpty();
    assertThat(schedules.audit(AuditFilter.bySchedule(key), 1).get(0).details())
        .containsEntry("rolledBackTo", 1L)
        .containsEntry("fromVersion", 2L)
        .containsEntry("toVersion", 3L);
  }

  @Test
  void pausing_and_resuming_go_back_and_forth_until_retired() {
    schedules.create(hourly);

    ChangeResult paused = schedules.pause(key, "maintenance").orElseThrow();
    assertThat(paused.change()).isEqualTo(PAUSED);
    assertThat(paused.schedule().status()).isEqualTo(ScheduleStatus.PAUSED);
    assertThat(paused.schedule().pause().orElseThrow().reason()).isEqualTo("maintenance");
    assertThat(paused.schedule().nextSlot()).isEmpty();

    ChangeResult resumed = schedules.resume(key).orElseThrow();
    assertThat(resumed.change()).isEqualTo(RESUMED);
    assertThat(resumed.schedule().status()).isEqualTo(ScheduleStatus.ACTIVE);
    assertThat(resumed.schedule().pause()).isEmpty();
    assertThat(schedules.resume(key).orElseThrow().change()).isEqualTo(UNCHANGED);

    assertThat(schedules.retire(key).orElseThrow().change()).isEqualTo(RETIRED);
    assertThat(schedules.get(key).orElseThrow().nextSlot()).isEmpty();
    assertThat(schedules.versions(key).get(0).retiredAt()).contains(now);
    assertThat(schedules.retire(key).orElseThrow().change()).isEqualTo(UNCHANGED);
    assertThat(schedules.pause(key, "why").orElseThrow().change()).isEqualTo(UNCHANGED);
    assertThat(schedules.resume(key).orElseThrow().change()).isEqualTo(UNCHANGED);
    assertThat(schedules.patch(key, draft -> draft.description("x"))).isEmpty();
    assertThat(audit())
        .containsExactly(
            "schedule.retired", "schedule.resumed", "schedule.paused", "schedule.created");
  }

  @Test
  void pausing_a_paused_schedule_gives_it_another_reason() {
    schedules.create(hourly);
    schedules.pause(key, "one");
    Instant until = now.plus(Duration.ofHours(2));

    ChangeResult again = schedules.pause(key, "two", until).orElseThrow();

    assertThat(again.change()).isEqualTo(PAUSED);
    assertThat(again.schedule().pause().orElseThrow().reason()).isEqualTo("two");
    assertThat(again.schedule().pause().orElseThrow().until()).contains(until);
    assertThat(schedules.pause(key, "two", until).orElseThrow().change()).isEqualTo(UNCHANGED);
  }

  @Test
  void a_pause_needs_a_reason_and_an_end_in_the_future() {
    schedules.create(hourly);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedules.pause(key, " "))
        .withMessageStartingWith("a pause needs a reason of 1 to 1000 characters");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedules.pause(key, "why", now))
        .withMessage(
            "a pause must end in the future; was 2026-03-01T10:30:00Z; use resume to end it now");
  }

  @Test
  void what_does_not_exist_is_an_empty_answer() {
    for (String unknown : List.of("no such key", "nul\0", "half\ud800")) {
      assertThat(schedules.get(unknown)).isEmpty();
      assertThat(schedules.pause(unknown, "why")).isEmpty();
      assertThat(schedules.resume(unknown)).isEmpty();
      assertThat(schedules.retire(unknown)).isEmpty();
      assertThat(schedules.patch(unknown, draft -> draft)).isEmpty();
      assertThat(schedules.rollback(unknown, 1)).isEmpty();
      assertThat(schedules.versions(unknown)).isEmpty();
      assertThat(schedules.version(unknown, 1)).isEmpty();
      assertThat(schedules.preview(unknown, 5)).isEmpty();
      assertThat(schedules.decisions(unknown, Instant.MIN, Instant.MAX, 5)).isEmpty();
    }
    assertThat(schedules.audit(AuditFilter.bySchedule("no such key"), 5)).isEmpty();
  }

  @Test
  void an_unknown_target_is_refused_with_those_like_it() {
    assertRefused(
        () -> schedules.create(hourly.target("send-raport")),
        "schedule '%s' has the unknown target 'send-raport'; known are send-report, send-mail,"
            + " archive, bill, log and 1 more");
    assertRefused(
        () -> schedules.upsert(hourly.target("logg")),
        "schedule '%s' has the unknown target 'logg'; known are log, archive, bill, noop, send-mail"
            + " and 1 more");
    schedules.create(hourly);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedules.patch(key, draft -> draft.target("x")));
    assertThat(schedules.get(key).orElseThrow().version()).isEqualTo(1);
  }

  @Test
  void a_timing_that_never_fires_is_refused() {
    assertRefused(
        () -> schedules.create(hourly.cron("0 0 30 2 *")),
        "schedule '%s' would never fire: '0 0 30 2 * UTC' names no time after"
            + " 2026-03-01T10:30:00Z; choose a timing that does");
    assertRefused(
        () -> schedules.create(hourly.until(now.minusSeconds(1))),
        "schedule '%s' would never fire: its window ended at 2026-03-01T10:29:59Z; let it end in the"
            + " future, or leave the end out");
    assertRefused(
        () -> schedules.create(hourly.until(now.plusSeconds(60))),
        "schedule '%s' would never fire: '0 * * * * UTC' names no time in its window until"
            + " 2026-03-01T10:31:00Z; widen the window or change the timing");
    assertRefused(
        () -> schedules.create(hourly.at(now.plusSeconds(60)).from(now.plusSeconds(90))),
        "schedule '%s' would never fire: its time 2026-03-01T10:31:00Z is outside its window from"
            + " 2026-03-01T10:31:30Z; change one of them");
  }

  @Test
  void a_one_shot_may_be_a_little_late_but_not_missed() {
    assertRefused(
        () -> schedules.create(hourly.at(now.minusSeconds(301))),
        "schedule '%s' would never fire: its time 2026-03-01T10:24:59Z has passed; use a time in the"
            + " future, or a run without a schedule");

    ChangeResult late = schedules.create(hourly.at(now.minusSeconds(300)));

    assertThat(late.schedule().nextSlot()).contains(now.minusSeconds(300));
  }

  @Test
  void a_delay_is_kept_as_the_time_it_ends() {
    ChangeResult changeResult = schedules.create(hourly.in(Duration.parse("PT15M")));

    assertThat(changeResult.schedule().definition().timing())
        .isEqualTo(new Once(Instant.parse("2026-03-01T10:45:00Z")));
    assertThat(schedules.create(ScheduleDraft.unnamed().target("log").in(Duration.ZERO)))
        .satisfies(at_once -> assertThat(at_once.schedule().nextSlot()).contains(now));
  }

  @Test
  void a_change_that_fails_leaves_nothing() {
    schedules.create(hourly);
    psql.execute(
        "alter table carillon.audit add constraint broken check (actor <> 'saboteur') not valid");
    try {
      Schedules broken = schedules.as("saboteur");
      for (Runnable change :
          List.<Runnable>of(
              () -> broken.upsert(hourly.cron("@daily")),
              () -> broken.pause(key, "why"),
              () -> broken.retire(key),
              () ->
                  broken.create(ScheduleDraft.named("new-" + key).target("log").cron("@daily")))) {
        assertThatExceptionOfType(StoreException.class).isThrownBy(change::run);
      }
    } finally {
      psql.execute("alter table carillon.audit drop constraint broken");
    }

    Schedule schedule = schedules.get(key).orElseThrow();
    assertThat(schedule.version()).isEqualTo(1);
    assertThat(schedule.status()).isEqualTo(ScheduleStatus.ACTIVE);
    assertThat(schedule.nextSlot()).contains(Instant.parse("2026-03-01T11:00:00Z"));
    assertThat(schedules.versions(key)).hasSize(1);
    assertThat(schedules.get("new-" + key)).isEmpty();
    assertThat(audit()).containsExactly("schedule.created");
    assertThat(events).hasSize(1);
  }

  @Test
  void a_definition_that_cannot_be_read_can_still_be_seen_saved_anew_and_retired() {
    schedules.create(hourly.tags(key));
    schedules.pause(key, "why");
    psql.execute(
        """
        update carillon.schedule_version
           set definition = '{"timing": {"cron": "@daily", "zone": "Mars/Base"}}'
         where tags = array[?::text]
        """,
        key);

    assertThat(schedules.list(ScheduleFilter.all().tag(key)))
        .extracting(schedule -> schedule.definition().description())
        .containsExactly("cannot be read: there is no zone 'Mars/Base'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedules.resume(key))
        .withMessage(
            "schedule '%s' cannot be resumed: its definition cannot be read: there is no zone"
                + " 'Mars/Base'; save it anew first",
            key);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedules.patch(key, draft -> draft.description("x")));
    assertThat(schedules.preview(key, 5).orElseThrow()).isEmpty();
    assertThat(schedules.upsert(hourly).change()).isEqualTo(NEW_VERSION);
    assertThat(schedules.resume(key).orElseThrow().change()).isEqualTo(RESUMED);
    assertThat(schedules.versions(key)).hasSize(2);
  }

  @Test
  void every_change_is_told_once_it_is_durable() {
    schedules.as("ada").create(hourly);
    schedules.as("bob").pause(key, "why");
    schedules.pause(key, "why");

    assertThat(events)
        .containsExactly(
            new Event.Changed(now, key, "schedule.created", "ada", Optional.empty()),
            new Event.Changed(now, key, "schedule.paused", "bob", Optional.of("why")));
    assertThat(wakeUps).as("nothing is due soon").hasValue(0);
    schedules.create(ScheduleDraft.named("soon").target("noop").every(Duration.ofMinutes(1)));
    assertThat(wakeUps).hasValue(1);
  }

  @Test
  void the_audit_says_who_did_what_and_why() {
    schedules.as("ada").create(hourly);
    schedules.as("bob").pause(key, "maintenance", now.plusSeconds(3600));
    schedules.resume(key);

    List<AuditEntry> lines = schedules.audit(AuditFilter.bySchedule(key), 10);

    assertThat(lines)
        .extracting(line -> line.changedBy().by())
        .containsExactly("java", "bob", "ada");
    assertThat(lines).extracting(AuditEntry::schedule).containsOnly(Optional.of(key));
    assertThat(lines.get(1).details())
        .containsEntry("reason", "maintenance")
        .containsEntry("until", "2026-03-01T11:30:00Z");
    assertThat(schedules.audit(AuditFilter.bySchedule(key).actor("bob"), 10))
        .containsExactly(lines.get(1));
    assertThat(schedules.audit(AuditFilter.bySchedule(key).action("schedule.created"), 10))
        .containsExactly(lines.get(2));
    assertThat(schedules.audit(AuditFilter.bySchedule(key).before(lines.get(0).id()), 1))
        .containsExactly(lines.get(1));
  }

  @Test
  void an_actor_is_a_name() {
    assertRefused(() -> schedules.as(""), "an actor has 1 to 200 characters; '' has 0");
  }

  private List<String> audit() {
    return schedules.audit(AuditFilter.bySchedule(key), 100).stream()
        .map(AuditEntry::action)
        .toList();
  }

  private void pass(Duration time) {
    now = now.plus(time);
  }

  private void assertRefused(Runnable call, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(call::run)
        .withMessage(message.replace("%s", key));
  }
}
