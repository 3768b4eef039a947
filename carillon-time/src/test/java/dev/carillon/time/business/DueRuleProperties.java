package dev.carillon.time.business;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.carillon.fixture.Property;
import dev.carillon.time.Due;
import dev.carillon.time.DueRule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The laws of due times by calendars and quiet hours. */
class DueRuleProperties {
  @Property(cases = 8_000)
  void a_due_time_is_business_time(BusinessGen any) {
    CalendarRule rule = any.rule();
    Instant slot = any.instant(rule.calendar().zone());

    if (rule.due(slot) instanceof Due.At due) {
      assertThat(isBusinessTime(rule, due.at())).as("%s of %s: %s", rule, slot, due).isTrue();
      assertThat(rule.due(slot)).isEqualTo(due);
    } else {
      assertThat(rule.roll() == Roll.SKIP || rule.outsideHours() == OutsideHours.SKIP)
          .as("%s of %s: %s", rule, slot, rule.due(slot))
          .isTrue();
    }
  }

  private static boolean isBusinessTime(CalendarRule rule, Instant due) {
    BusinessCalendar calendar = rule.calendar();
    return rule.outsideHours() == OutsideHours.ALLOW
        ? calendar.isBusinessDay(due.atZone(calendar.zone()).toLocalDate())
        : calendar.isWorkingTime(due);
  }

  @Property(cases = 8_000)
  void a_slot_in_business_time_is_due_at_once(BusinessGen any) {
    CalendarRule rule = any.rule().withOffset(0);
    Instant slot = any.instant(rule.calendar().zone());
    if (isBusinessTime(rule, slot)) {
      assertThat(rule.due(slot)).isEqualTo(Due.at(slot));
    }
  }

  @Property(cases = 8_000)
  void no_due_time_is_outside_of_its_bounds(BusinessGen any) {
    Optional<CalendarRule> calendar = any.maybeRule();
    List<QuietHours> quiet = any.percent(30) ? List.of() : several(any);
    DueRule rule = DueRules.of(calendar, quiet);
    Instant slot =
        quiet.isEmpty()
            ? any.instant(calendar.map(it -> it.calendar().zone()).orElseGet(any::zone))
            : any.instantNear(any.oneOf(quiet));

    if (rule.due(slot) instanceof Due.At due) {
      assertThat(due.at())
          .as("%s of %s and %s: %s", slot, calendar, quiet, due)
          .isAfterOrEqualTo(slot.minus(rule.maxAdvance()))
          .isBeforeOrEqualTo(slot.plus(rule.maxDelay()));
    }
  }

  @Property(cases = 8_000)
  void where_nothing_may_be_due_later_no_slot_before_is(BusinessGen any) {
    CalendarRule rule = any.percent(50) ? any.rule() : any.rule().withOffset(0);
    Instant at = any.instant(rule.calendar().zone());
    Instant slot = at.minus(any.upTo(Duration.ofDays(any.percent(50) ? 4 : 20)));

    if (!rule.mayBeDueAfter(at) && rule.due(slot) instanceof Due.At due) {
      assertThat(due.at()).as("%s of %s: %s", rule, slot, due).isBeforeOrEqualTo(at);
    }
  }

  @Property(cases = 8_000)
  void a_due_time_is_never_quiet_and_always_business_time(BusinessGen any) {
    Optional<CalendarRule> calendar = any.maybeRule();
    List<QuietHours> quiet = several(any);
    Instant slot = any.instantNear(any.oneOf(quiet));

    if (DueRules.of(calendar, quiet).due(slot) instanceof Due.At due) {
      assertThat(quiet)
          .as("%s with %s: %s", slot, calendar, due)
          .allSatisfy(hours -> assertThat(hours.covering(due.at())).isEmpty());
      calendar.ifPresent(
          rule -> assertThat(isBusinessTime(rule, due.at())).as("%s: %s", slot, due).isTrue());
      Instant last = slot;
      for (Due.Move move : due.moves()) {
        assertThat(move.because()).isNotBlank();
        last = move.to();
      }
      assertThat(last).isEqualTo(due.at());
    }
  }

  private static List<QuietHours> several(BusinessGen any) {
    var several = new ArrayList<QuietHours>();
    for (int left = any.percent(60) ? 1 : any.number(1, 3); left > 0; left--) {
      several.add(any.quietHours());
    }
    return several;
  }

  @Property(cases = 5_000)
  void a_quiet_period_is_quiet_from_start_to_end(BusinessGen any) {
    QuietHours hours = any.quietHours();
    Instant instant = any.instantNear(hours);

    hours
        .covering(instant)
        .ifPresent(
            period -> {
              assertThat(instant).isAfterOrEqualTo(period.start()).isBefore(period.end());
              assertThat(hours.covering(period.end())).as("%s: %s", hours, period).isEmpty();
              assertThat(hours.covering(period.start().minusNanos(1))).isEmpty();
              Duration length = Duration.between(period.start(), period.end());
              Instant within = period.start().plus(any.upTo(length.minusSeconds(1)));
              assertThat(hours.covering(within))
                  .as("%s of %s", within, hours)
                  .hasValueSatisfying(
                      same -> {
                        assertThat(same.start()).isEqualTo(period.start());
                        assertThat(same.end()).isEqualTo(period.end());
                      });
            });
  }

  @Property(cases = 5_000)
  void deferred_runs_stay_in_order_and_coalesced_ones_become_one(BusinessGen any) {
    QuietHours hours = any.quietHours();
    Instant first = any.instantNear(hours);
    Instant second = first.plusSeconds(any.number(1, 40_000));
    var rule = new QuietHoursRule(List.of(hours));
    boolean together =
        hours.covering(first).isPresent()
            && hours
                .covering(first)
                .map(QuietPeriod::end)
                .equals(hours.covering(second).map(QuietPeriod::end));

    if (rule.due(first) instanceof Due.At one && rule.due(second) instanceof Due.At two) {
      assertThat(one.at()).isBeforeOrEqualTo(two.at());
      if (hours.action() == QuietAction.COALESCE && together) {
        assertThat(one.at()).isEqualTo(two.at());
      } else {
        boolean roomy = Duration.between(first, one.at()).compareTo(Duration.ofDays(10)) < 0;
        assertThat(!roomy || one.at().isBefore(two.at()))
            .as("%s and %s of %s: %s and %s", first, second, hours, one, two)
            .isTrue();
      }
    }
  }

  @Property(cases = 2_000)
  void no_instant_is_too_early_or_too_late_to_ask(BusinessGen any) {
    DueRule rule = DueRules.of(any.maybeRule(), List.of(any.quietHours()));
    Instant far =
        any.oneOf(
            Instant.MIN,
            Instant.MAX,
            Instant.EPOCH,
            Instant.EPOCH.plusSeconds(any.number(-1_000_000, 1_000_000)),
            Instant.parse("2199-12-31T23:59:59Z").plusSeconds(any.number(-1_000_000, 1_000_000)));

    assertThatCode(
            () -> {
              if (rule.due(far) instanceof Due.At due) {
                assertThat(Duration.between(far, due.at()))
                    .isBetween(rule.maxAdvance().negated(), rule.maxDelay());
              }
            })
        .as("%s of %s", far, rule)
        .doesNotThrowAnyException();
  }
}
