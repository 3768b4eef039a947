package dev.carillon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Gen;
import dev.carillon.fixture.Property;
import dev.carillon.model.ChangeResult;
import dev.carillon.model.ChangeResult.Change;
import dev.carillon.model.Definition;
import dev.carillon.model.DryRun;
import dev.carillon.model.MovedFire;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.model.SlotOutcome;
import dev.carillon.model.SlotOutcome.Fate;
import dev.carillon.policy.CalendarPolicy;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.time.Warning;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.QuietAction;
import dev.carillon.time.business.QuietHours;
import dev.carillon.time.business.QuietWindow;
import dev.carillon.time.business.Roll;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A dry run says what storing would do, and does nothing. */
@ExtendWith(EmbeddedPostgres.class)
class DryRunTest {
  private final Belfry belfry;
  private final ManualCarillon node;
  private final Schedules schedules;
  private final ScheduleDraft daily = ScheduleDraft.named("daily").target("bell").cron("0 2 * * *");

  DryRunTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node = belfry.node(builder -> builder.target("bell", context -> {}));
    schedules = node.schedules();
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private List<String> everything() {
    return Stream.of("schedule", "schedule_version", "cursor", "run", "decision", "audit")
        .flatMap(table -> belfry.psql().rows("select * from carillon." + table).stream())
        .sorted()
        .toList();
  }

  @Test
  void a_new_schedule_gains_all_its_slots() {
    DryRun dryRun = schedules.dryRun(daily);

    assertThat(dryRun.change()).isEqualTo(Change.CREATED);
    assertThat(dryRun.version()).isEqualTo(1);
    assertThat(dryRun.gained()).hasSize(30);
    assertThat(dryRun.gained().get(0).slot()).isEqualTo(Instant.parse("2026-03-01T02:00:00Z"));
    assertThat(dryRun.lost()).isEmpty();
    assertThat(dryRun.changed()).isEmpty();
    assertThat(schedules.get("daily")).isEmpty();
    assertThat(everything()).isEmpty();
  }

  @Test
  void the_same_again_changes_nothing() {
    Definition stored = schedules.create(daily).schedule().definition();

    DryRun dryRun = schedules.dryRun(daily);

    assertThat(dryRun)
        .isEqualTo(
            new DryRun(
                Change.UNCHANGED,
                1,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Optional.of(stored),
                stored,
                Optional.empty()));
  }

  @Test
  void a_calendar_or_quiet_hours_alone_move_fires_and_lose_some() {
    node.carillon().calendars().save(BusinessCalendar.named("bank", ZoneId.of("UTC")).build());
    node.carillon()
        .quietHours()
        .save(
            QuietHoursDefinition.of(
                new QuietHours(
                    "night",
                    ZoneId.of("UTC"),
                    List.of(QuietWindow.daily("22:00-06:00")),
                    List.of(),
                    QuietAction.COALESCE)),
            "");
    schedules.create(daily);
    List<String> before = everything();

    DryRun skipping = schedules.dryRun(daily.calendar(CalendarPolicy.of("bank", Roll.SKIP)));
    DryRun rolling = schedules.dryRun(daily.calendar(CalendarPolicy.of("bank", Roll.FOLLOWING)));
    DryRun quiet = schedules.dryRun(daily.quietHours("night"));

    assertThat(skipping.changed()).containsExactly("calendar");
    assertThat(skipping.lost())
        .hasSize(9)
        .allMatch(one -> one.local().getDayOfWeek().getValue() > 5);
    assertThat(skipping.moved()).isEmpty();
    /* The slots of Sunday and Monday are part of the run of Saturday; the first day is a Sunday. */
    assertThat(rolling.moved())
        .hasSize(5)
        .startsWith(
            new MovedFire(
                Instant.parse("2026-03-01T02:00:00Z"),
                LocalDateTime.parse("2026-03-01T02:00"),
                Instant.parse("2026-03-01T02:00:00Z"),
                Instant.parse("2026-03-02T02:00:00Z")));
    assertThat(quiet.changed()).containsExactly("quietHours");
    assertThat(quiet.moved())
        .hasSize(30)
        .allMatch(one -> one.to().toString().endsWith("T06:00:00Z"));
    assertThat(quiet.gained()).isEmpty();
    assertThat(quiet.lost()).isEmpty();
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void another_time_gains_and_loses_slots() {
    schedules.create(daily);
    node.pass(Duration.ofMinutes(119).plusSeconds(30));
    List<String> before = everything();

    DryRun dryRun = schedules.dryRun(daily.cron("0 2,3 * * 1-5"));

    assertThat(dryRun.change()).isEqualTo(Change.NEW_VERSION);
    assertThat(dryRun.version()).isEqualTo(2);
    assertThat(dryRun.changed()).containsExactly("timing");
    assertThat(dryRun.gained())
        .allMatch(slotOutcome -> slotOutcome.local().getHour() == 3)
        .hasSize(21);
    assertThat(dryRun.lost())
        .allMatch(slotOutcome -> slotOutcome.local().getDayOfWeek().getValue() > 5)
        .extracting(SlotOutcome::slot)
        .startsWith(Instant.parse("2026-03-01T02:00:00Z"));
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void what_differs_is_named() {
    schedules.create(daily);

    assertThat(
            schedules
                .dryRun(daily.description("why").payload("n", 1).tags("red").maxRuns(500))
                .changed())
        .containsExactly("description", "maxRuns", "payload", "tags");
  }

  @Test
  void a_retired_schedule_would_fire_again() {
    schedules.create(daily);
    schedules.retire("daily");

    DryRun dryRun = schedules.dryRun(daily);

    assertThat(dryRun.change()).isEqualTo(Change.NEW_VERSION);
    assertThat(dryRun.changed()).containsExactly("status");
    assertThat(dryRun.gained()).hasSize(30);
  }

  @Test
  void a_paused_schedule_gains_nothing() {
    schedules.create(daily);
    schedules.pause("daily", "for a while");

    DryRun dryRun = schedules.dryRun(daily.cron("0 3 * * *"));

    assertThat(dryRun.change()).isEqualTo(Change.NEW_VERSION);
    assertThat(dryRun.gained()).isEmpty();
    assertThat(dryRun.lost()).isEmpty();
  }

  @Test
  void no_more_than_a_hundred_slots_are_shown() {
    schedules.create(daily.every(Duration.ofSeconds(2)));

    DryRun dryRun = schedules.dryRun(daily.every(Duration.ofSeconds(3)));

    assertThat(dryRun.gained()).hasSize(100);
    assertThat(dryRun.lost()).hasSize(100);
  }

  @Test
  void what_is_odd_is_said_and_what_is_wrong_is_refused() {
    assertThat(schedules.dryRun(daily.cron("0 0 13 * 5")).warnings())
        .extracting(Warning::code)
        .contains("DOM_DOW_OR");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedules.dryRun(daily.target("gong")))
        .withMessageContaining("unknown target 'gong'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedules.dryRun(daily.until(belfry.clock().instant().minusSeconds(9))))
        .withMessageContaining("would never fire");
  }

  @Property(cases = 15)
  void it_says_what_storing_then_does(Gen any) {
    String key = "k" + any.number(0L, 1_000_000_000_000L);
    if (any.percent(80)) {
      schedules.create(FiresTest.any(any, key, belfry.clock().instant()));
      node.pass(any.upTo(Duration.ofHours(4)));
    }
    if (any.percent(20)) {
      schedules.pause(
          key,
          "for a while",
          belfry.clock().instant().plus(any.upTo(Duration.ofDays(3))).plusSeconds(1));
    }
    ScheduleDraft draft = FiresTest.any(any, key, belfry.clock().instant());
    List<Instant> usual = coming(key);
    List<String> before = everything();

    DryRun dryRun;
    try {
      dryRun = schedules.dryRun(draft);
    } catch (IllegalArgumentException refused) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> schedules.upsert(draft))
          .withMessage(refused.getMessage());
      return;
    }

    assertThat(everything()).isEqualTo(before);
    ChangeResult changeResult = schedules.upsert(draft);
    assertThat(changeResult.change()).isEqualTo(dryRun.change());
    assertThat(changeResult.schedule().version()).isEqualTo(dryRun.version());
    List<Instant> then = coming(key);
    assertThat(dryRun.gained()).extracting(SlotOutcome::slot).isEqualTo(without(then, usual));
    assertThat(dryRun.lost()).extracting(SlotOutcome::slot).isEqualTo(without(usual, then));
  }

  private static List<Instant> without(List<Instant> slots, List<Instant> others) {
    var left = new ArrayList<>(slots);
    left.removeAll(others);
    return left.subList(0, Math.min(100, left.size()));
  }

  /* All of thirty days, a thousand at a time. */
  private List<Instant> coming(String key) {
    Instant now = belfry.clock().instant();
    Instant to = now.plus(Duration.ofDays(30));
    var slots = new ArrayList<Instant>();
    Instant from = now.plusNanos(1_000);
    while (true) {
      List<SlotOutcome> fires = schedules.fires(key, from, to, 1_000).orElse(List.of());
      fires.stream()
          .filter(
              slotOutcome ->
                  slotOutcome.decision() != Fate.WILL_NOT_RUN
                      && slotOutcome.decision() != Fate.DROPPED)
          .forEach(slotOutcome -> slots.add(slotOutcome.slot()));
      if (fires.size() < 1_000) {
        return slots;
      }
      from = fires.get(fires.size() - 1).slot().plusNanos(1_000);
    }
  }
}
