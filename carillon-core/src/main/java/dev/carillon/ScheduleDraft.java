package dev.carillon;

import dev.carillon.definition.DefinitionField;
import dev.carillon.definition.DefinitionFields;
import dev.carillon.definition.FieldLimits;
import dev.carillon.model.Definition;
import dev.carillon.model.Payload;
import dev.carillon.policy.CalendarPolicy;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Deadline;
import dev.carillon.policy.Expectation;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Pacing;
import dev.carillon.policy.PolicyDefaults;
import dev.carillon.policy.Recovery;
import dev.carillon.policy.Retry;
import dev.carillon.time.Cron;
import dev.carillon.time.Every;
import dev.carillon.time.EveryPeriod;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.Jitter;
import dev.carillon.time.Once;
import dev.carillon.time.PeriodDuration;
import dev.carillon.time.Timing;
import dev.carillon.time.Window;
import dev.carillon.time.Zones;
import dev.carillon.time.business.BusinessDaysAfter;
import dev.carillon.time.business.BusinessTiming;
import dev.carillon.time.business.CalendarTiming;
import dev.carillon.time.business.MonthlyBusinessDay;
import dev.carillon.time.business.OpenOrClose;
import dev.carillon.time.business.WorkingHoursEdge.Edge;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A schedule that is not stored yet. Immutable: each method returns a draft that differs in what it
 * says, and refuses at once what no schedule can have.
 *
 * <pre>{@code
 * ScheduleDraft.named("nightly-report").target("send-report").cron("0 2 * * *", "Europe/Rome")
 * }</pre>
 */
public final class ScheduleDraft {
  /* Its target and timing stand for those that are not given yet. */
  private static final Definition BLANK =
      new Definition.Builder("", new Once(Instant.EPOCH)).build();

  private final String key;
  private Definition said = BLANK;
  private Optional<String> target = Optional.empty();
  private Optional<Timing> timing = Optional.empty();
  private Optional<Delay> delay = Optional.empty();
  private Function<PolicyDefaults, Overlap> overlap = usual -> Overlap.SKIP;
  private UnaryOperator<CatchUp> catchUp = UnaryOperator.identity();
  private boolean atMostOnce;

  private ScheduleDraft(String key) {
    this.key = key;
  }

  /** Draft a schedule called {@code key}. */
  public static ScheduleDraft named(String key) {
    return new ScheduleDraft(ScheduleLimits.key(key));
  }

  /** Draft a schedule with a generated key. */
  public static ScheduleDraft unnamed() {
    return new ScheduleDraft(UUID.randomUUID().toString());
  }

  /** Draft what {@code definition} says. */
  static ScheduleDraft of(String key, Definition definition) {
    var draft = new ScheduleDraft(key);
    draft.said = definition;
    draft.target = Optional.of(definition.target());
    draft.timing = Optional.of(definition.timing());
    draft.overlap = usual -> definition.overlap();
    draft.catchUp = usual -> definition.catchUp();
    return draft;
  }

  private ScheduleDraft with(Consumer<ScheduleDraft> change) {
    var copy = new ScheduleDraft(key);
    copy.said = said;
    copy.target = target;
    copy.timing = timing;
    copy.delay = delay;
    copy.overlap = overlap;
    copy.catchUp = catchUp;
    copy.atMostOnce = atMostOnce;
    change.accept(copy);
    return copy;
  }

  private ScheduleDraft saying(Consumer<Definition.Builder> change) {
    Definition changed = said.with(change);
    return with(draft -> draft.said = changed);
  }

  /** Set {@code field}; what depends on the scheduler's defaults has methods of its own. */
  public <T> ScheduleDraft set(DefinitionField<T> field, T value) {
    return saying(definition -> field.set(definition, value));
  }

  /** Return the key. */
  public String key() {
    return key;
  }

  /** Run what is registered as {@code label}. */
  public ScheduleDraft target(String label) {
    ScheduleLimits.target(label);
    return with(draft -> draft.target = Optional.of(label));
  }

  /** Give each run {@code payload}. */
  public ScheduleDraft payload(Payload payload) {
    return set(DefinitionFields.PAYLOAD, payload);
  }

  /** Give each run {@code content}: text, numbers, booleans, lists and maps by name. */
  public ScheduleDraft payload(Map<String, ?> content) {
    return payload(Payload.of(content));
  }

  /** Give each run one named value. */
  public ScheduleDraft payload(String name, Object value) {
    return payload(Payload.of(name, value));
  }

  /**
   * Fill in the placeholders of the payload for each attempt, such as <code>
   * ${slot-1d:yyyy-MM-dd}</code>.
   */
  public ScheduleDraft template() {
    return template(true);
  }

  /** Fill in the placeholders of the payload for each attempt, or take the payload as it is. */
  public ScheduleDraft template(boolean template) {
    return set(DefinitionFields.TEMPLATE, template);
  }

  /** Fire as {@code expression} says on the clock of UTC. */
  public ScheduleDraft cron(String expression) {
    return cron(expression, "UTC");
  }

  /** Fire as {@code expression} says on the clock of the zone called {@code zone}. */
  public ScheduleDraft cron(String expression, String zone) {
    return cron(expression, Zones.of(zone));
  }

  /** Fire as {@code expression} says on the clock of {@code zone}. */
  public ScheduleDraft cron(String expression, ZoneId zone) {
    return timing(Timing.parse(expression, zone, key));
  }

  /** Fire every {@code period}, counted from 1970-01-01T00:00:00Z. */
  public ScheduleDraft every(Duration period) {
    return timing(Every.of(period));
  }

  /** Fire every {@code period}, counted from {@code anchor}. */
  public ScheduleDraft every(Duration period, Instant anchor) {
    return timing(new Every(period, anchor));
  }

  /**
   * Fire every {@code period} of the calendar of {@code zone}, counted from the midnight that began
   * 1970 there: {@code P1M} is the first of each month.
   */
  public ScheduleDraft every(Period period, ZoneId zone) {
    return timing(EveryPeriod.of(period, zone));
  }

  /**
   * Fire every {@code period} of the calendar of {@code zone}, counted from {@code anchor}, at the
   * same time of day; a month that has no such day fires on its last.
   */
  public ScheduleDraft every(Period period, Instant anchor, ZoneId zone) {
    return timing(EveryPeriod.from(FieldLimits.instant("an anchor", anchor), period, zone));
  }

  /** Measure the interval from the end of each run, so that runs never meet. */
  public ScheduleDraft afterFinish() {
    return pacing(Pacing.FINISH);
  }

  /** Measure the interval from slot to slot, or from the end of each run. */
  public ScheduleDraft pacing(Pacing pacing) {
    if (pacing == Pacing.FINISH && !timing.map(Every.class::isInstance).orElse(false)) {
      throw new InvalidValueException(
          "only an interval can be measured from the end of a run; call every(…) before"
              + " afterFinish()");
    }
    return saying(definition -> definition.pacing = pacing);
  }

  /** Fire once, at {@code instant}. */
  public ScheduleDraft at(Instant instant) {
    return timing(new Once(instant));
  }

  /** Fire once, {@code delay} after the schedule is stored. */
  public ScheduleDraft in(Duration delay) {
    return in(Delay.of(delay));
  }

  /**
   * Fire once, {@code delay} after the schedule is stored: years, months and days by the calendar
   * of {@code zone}.
   */
  public ScheduleDraft in(PeriodDuration delay, ZoneId zone) {
    return in(new Delay(delay, zone));
  }

  private ScheduleDraft in(Delay delay) {
    return saying(definition -> definition.pacing = Pacing.SLOT)
        .with(
            draft -> {
              draft.timing = Optional.empty();
              draft.delay = Optional.of(delay);
            });
  }

  /**
   * Fire on the n-th business day of every month of the calendar called {@code calendar}, or the
   * n-th from the end: -1 is the last.
   *
   * @param time the time of day, in the calendar's zone
   */
  public ScheduleDraft businessDayOfMonth(int number, LocalTime time, String calendar) {
    return timing(new MonthlyBusinessDay(calendar, number, time, Optional.empty()));
  }

  /**
   * Fire once, on the n-th business day after {@code date} of the calendar called {@code calendar},
   * or before it if negative.
   *
   * @param time the time of day, in the calendar's zone
   */
  public ScheduleDraft businessDaysAfter(
      int days, LocalDate date, LocalTime time, String calendar) {
    return timing(new BusinessDaysAfter(calendar, days, date, time, Optional.empty()));
  }

  /** Fire when the working hours of a calendar open, or so much later; earlier if negative. */
  public ScheduleDraft whenHoursOpen(String calendar, Duration offset) {
    return timing(new OpenOrClose(calendar, Edge.OPEN, offset, Optional.empty()));
  }

  /** Fire when the working hours of a calendar close, or so much later; earlier if negative. */
  public ScheduleDraft whenHoursClose(String calendar, Duration offset) {
    return timing(new OpenOrClose(calendar, Edge.CLOSE, offset, Optional.empty()));
  }

  /** Fire when {@code timing} says; a cron timing's {@code H} is resolved for this key. */
  public ScheduleDraft timing(Timing timing) {
    Timing own = own(timing);
    Pacing pacing = own instanceof Every ? said.pacing() : Pacing.SLOT;
    return saying(definition -> definition.pacing = pacing)
        .with(
            draft -> {
              draft.timing = Optional.of(own);
              draft.delay = Optional.empty();
            });
  }

  private Timing own(Timing timing) {
    if (timing instanceof Cron cron) {
      return Cron.parse(cron.expression(), cron.zone(), key)
          .withGap(cron.gap())
          .withOverlap(cron.overlap());
    }
    if (timing instanceof BusinessTiming business) {
      throw new InvalidValueException(
          "timing",
          "a schedule names its calendar, '%s', rather than holding it; use businessDayOfMonth(…), businessDaysAfter(…), whenHoursOpen(…) or whenHoursClose(…)"
              .formatted(business.calendar().name()));
    }
    if (timing instanceof CalendarTiming named) {
      ScheduleLimits.calendar(named.calendar());
      return named;
    }
    if (timing instanceof Every every) {
      FieldLimits.instant("an anchor", every.anchor());
      return every;
    }
    return timing instanceof Once once
        ? new Once(FieldLimits.instant("the time to fire", once.at()), once.zone())
        : timing;
  }

  /** Fire only within {@code window}. */
  public ScheduleDraft window(Window window) {
    return set(DefinitionFields.WINDOW, window);
  }

  /** Fire from {@code instant} on. */
  public ScheduleDraft from(Instant instant) {
    return window(new Window(instant, said.window().until()));
  }

  /** Fire until {@code instant}, that included. */
  public ScheduleDraft until(Instant instant) {
    return window(new Window(said.window().from(), instant));
  }

  /** Move runs by up to {@code amount} to either side of their slots. */
  public ScheduleDraft jitter(Duration amount) {
    return jitter(Jitter.around(amount));
  }

  /** Move runs from their slots as {@code jitter} says. */
  public ScheduleDraft jitter(Jitter jitter) {
    return saying(definition -> definition.jitter = jitter);
  }

  /** Move slots to business days of a calendar, or leave them out, as {@code calendar} says. */
  public ScheduleDraft calendar(CalendarPolicy calendar) {
    return set(DefinitionFields.CALENDAR, calendar);
  }

  /** Keep the quiet hours called {@code name}. */
  public ScheduleDraft quietHours(String name) {
    return set(DefinitionFields.QUIET_HOURS, name);
  }

  /** Treat a run that is due while another is unfinished as {@code overlap} says. */
  public ScheduleDraft overlap(Overlap overlap) {
    if (overlap.inTurn()) {
      throw new InvalidValueException(
          "only runs that somebody asks for wait as long as it takes; a schedule has"
              + " Overlap.queue(cap)");
    }
    return with(draft -> draft.overlap = usual -> overlap);
  }

  /**
   * Treat a run that is due while another is unfinished as {@code rule} says; a queue holds as many
   * runs as {@link CarillonBuilder#queueLimit} allows.
   */
  public ScheduleDraft overlap(Overlap.Rule rule) {
    return with(draft -> draft.overlap = usual -> usual.overlap(rule));
  }

  /** Treat slots that nothing could run as {@code catchUp} says, and not as is usual. */
  public ScheduleDraft catchUp(CatchUp catchUp) {
    return with(draft -> draft.catchUp = usual -> catchUp);
  }

  /**
   * Treat slots that nothing could run as is usual for this kind of timing, with the changes that
   * {@code edit} makes: {@code catchUp(usual -> usual.mode(CatchUp.Mode.ALL))}. See {@link
   * CarillonBuilder#defaultCatchUp}.
   */
  public ScheduleDraft catchUp(UnaryOperator<CatchUp> edit) {
    return with(draft -> draft.catchUp = edit);
  }

  /** Try a failed run again as {@code retry} says. */
  public ScheduleDraft retry(Retry retry) {
    if (atMostOnce) {
      checkOneAttempt(retry);
    }
    return set(DefinitionFields.RETRY, retry);
  }

  /** Treat a run whose node died as {@code recovery} says. */
  public ScheduleDraft recovery(Recovery recovery) {
    if (atMostOnce && recovery != Recovery.FAIL) {
      throw new InvalidValueException(
          "a run that happens at most once is not run again when its node dies; leave out"
              + " atMostOnce() or recovery(RESUBMIT)");
    }
    return set(DefinitionFields.RECOVERY, recovery);
  }

  /** Never begin the work of a run twice: fail it when its node dies, and do not retry it. */
  public ScheduleDraft atMostOnce() {
    checkOneAttempt(said.policy().retry());
    return recovery(Recovery.FAIL).with(draft -> draft.atMostOnce = true);
  }

  private static void checkOneAttempt(Retry retry) {
    if (retry.attempts() > 1) {
      throw new InvalidValueException(
          "a run that happens at most once has one attempt; was "
              + retry.attempts()
              + "; leave out atMostOnce() or retry(…)");
    }
  }

  /** Stop an attempt after {@code timeout}. */
  public ScheduleDraft timeout(Duration timeout) {
    return set(DefinitionFields.TIMEOUT, timeout);
  }

  /** Stop an attempt that takes longer, in the working time of the calendar {@code calendar}. */
  public ScheduleDraft timeout(Duration timeout, String calendar) {
    return timeout(timeout).set(DefinitionFields.TIMEOUT_CALENDAR, calendar);
  }

  /** Let attempts take as long as they like. */
  public ScheduleDraft noTimeout() {
    return saying(definition -> definition.policy = definition.policy.noTimeout());
  }

  /** Run another target once for each run that is not finished by {@code deadline}. */
  public ScheduleDraft deadline(Deadline deadline) {
    return set(DefinitionFields.DEADLINE, deadline);
  }

  /** Let runs be finished at any time. */
  public ScheduleDraft noDeadline() {
    return saying(definition -> definition.deadline = Optional.empty());
  }

  /** Count the schedule as silent if it does not succeed as often as {@code expectation} says. */
  public ScheduleDraft expect(Expectation expectation) {
    return set(DefinitionFields.EXPECT, expectation);
  }

  /** Let the schedule be silent for any time. */
  public ScheduleDraft expectNothing() {
    return saying(definition -> definition.expect = Optional.empty());
  }

  /** Pause the schedule after {@code failures} failed runs in a row; zero for never. */
  public ScheduleDraft pauseAfterFailures(int failures) {
    return set(DefinitionFields.PAUSE_AFTER_FAILURES, (long) failures);
  }

  /** Retire the schedule after {@code most} slots became runs; zero for no end. */
  public ScheduleDraft maxRuns(long most) {
    return set(DefinitionFields.MAX_RUNS, most);
  }

  /** Say in words what it is for. */
  public ScheduleDraft description(String description) {
    return set(DefinitionFields.DESCRIPTION, description);
  }

  /** Make it found by {@code tags}, and by no others. */
  public ScheduleDraft tags(String... tags) {
    return tags(List.of(tags));
  }

  /** Make it found by {@code tags}, and by no others. */
  public ScheduleDraft tags(List<String> tags) {
    return set(DefinitionFields.TAGS, tags);
  }

  /**
   * Return what this draft defines if it is stored at {@code now}; what it leaves open is as {@code
   * usual}.
   */
  Definition definition(Instant now, PolicyDefaults usual) {
    String label =
        target.orElseThrow(
            () ->
                new InvalidValueException(
                    "schedule '" + key + "' has no target; say what runs with target(…)"));
    Timing when =
        timing
            .or(() -> delay.map(wait -> new Once(wait.after(now))))
            .orElseThrow(
                () ->
                    new InvalidValueException(
                        "schedule '%s' has no timing; say when it runs with cron(…), every(…), at(…) or in(…)"
                            .formatted(key)));
    return said.with(
        definition -> {
          definition.target = label;
          definition.timing = when;
          definition.overlap = overlap.apply(usual);
          definition.catchUp = catchUp.apply(usual.catchUp(when));
        });
  }

  @Override
  public String toString() {
    return "draft of schedule '" + key + "'";
  }
}
