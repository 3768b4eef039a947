package dev.carillon.server.api;

import dev.carillon.ScheduleDraft;
import dev.carillon.definition.CalendarTimingJson;
import dev.carillon.policy.Pacing;
import dev.carillon.server.read.JsonFields;
import dev.carillon.time.AllowedZones;
import dev.carillon.time.Cron;
import dev.carillon.time.DstGap;
import dev.carillon.time.DstOverlap;
import dev.carillon.time.Every;
import dev.carillon.time.EveryPeriod;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.Once;
import dev.carillon.time.PeriodDuration;
import dev.carillon.time.Timing;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * How a timing is given: by cron expression, interval, instant, delay or calendar.
 *
 * @param zones the time zones it may name
 */
public record TimingForm(AllowedZones zones) {
  /** The fields of which a timing has exactly one. */
  static final List<String> KINDS =
      List.of("cron", "every", "at", "in", "businessDay", "businessDaysAfter");

  private static final int MAX_CRON = 256;

  /** The zone of what names none. */
  public static final ZoneId UTC = ZoneId.of("UTC");

  /** The last instant that can be written. */
  public static final Instant END = Instant.parse("9999-12-31T23:59:59Z");

  /** From where an interval is measured, in the words of the contract. */
  private enum After {
    START,
    FINISH
  }

  /** Return {@code draft} with the timing that {@code fields} say. */
  ScheduleDraft apply(JsonFields fields, ScheduleDraft draft) {
    List<String> given = KINDS.stream().filter(fields::has).toList();
    if (given.size() != 1) {
      fields.error(oneKind(given));
      return draft;
    }
    return switch (given.get(0)) {
      case "cron" ->
          fields.set(draft, "cron", cron(fields, draft.key(), UTC), ScheduleDraft::timing);
      case "every" -> interval(fields, draft);
      case "at" -> fields.set(draft, "at", at(fields), ScheduleDraft::timing);
      case "businessDay", "businessDaysAfter" ->
          fields.set(draft, given.get(0), byCalendar(fields, given.get(0)), ScheduleDraft::timing);
      default -> delayed(fields, draft);
    };
  }

  /** Return the timing at an instant, or when working hours open or close. */
  Optional<Timing> at(JsonFields fields) {
    return fields.text("at").filter(CalendarTimingJson::isEdge).isPresent()
        ? byCalendar(fields, "at")
        : once(fields, "at", "zone");
  }

  /** Return the timing that follows a calendar, as the field {@code kind} says. */
  Optional<Timing> byCalendar(JsonFields fields, String kind) {
    return CalendarTimingJson.read(fields, kind, zones::named).map(timing -> timing);
  }

  /** Return the timing that fires once, with the zone on whose clock people read it, if named. */
  public Optional<Timing> once(JsonFields fields, String at, String zone) {
    Optional<ZoneId> named =
        fields.has(zone) ? Optional.of(zone(fields, zone, UTC)) : Optional.empty();
    return fields.instant(at).map(instant -> new Once(instant, named));
  }

  /** Say that a timing has one kind, not {@code given}. */
  static String oneKind(List<String> given) {
    return "a timing has exactly one of cron, every, at, in, businessDay and businessDaysAfter; this one has "
        + (given.isEmpty() ? "none" : String.join(", ", given));
  }

  /** Return the timing that {@code fields} give by a cron expression. */
  Optional<Timing> cron(JsonFields fields, String key, ZoneId usual) {
    Optional<String> text = fields.text("cron");
    ZoneId zone = zone(fields, "zone", usual);
    Optional<DstGap> gap = fields.word("dstGap", DstGap.class);
    Optional<DstOverlap> overlap = fields.word("dstOverlap", DstOverlap.class);
    return text.flatMap(expression -> fields.tried("cron", () -> parsed(expression, zone, key)))
        .map(
            timing ->
                timing instanceof Cron cron
                    ? cron.withGap(gap.orElse(cron.gap()))
                        .withOverlap(overlap.orElse(cron.overlap()))
                    : timing);
  }

  /** Return the timing that a cron expression gives the schedule called {@code key}. */
  public static Timing parsed(String expression, ZoneId zone, String key) {
    if (expression.length() > MAX_CRON) {
      throw new InvalidValueException(
          "a cron expression has at most %s characters; this one has %s"
              .formatted(MAX_CRON, expression.length()));
    }
    return Timing.parse(expression, zone, key);
  }

  /** Return the zone that a field names, or the usual one if that is allowed. */
  public ZoneId zone(JsonFields fields, String name, ZoneId usual) {
    Optional<String> said = fields.text(name);
    return fields
        .tried(name, () -> said.map(zones::named).orElseGet(() -> zones.check(usual)))
        .orElse(usual);
  }

  /**
   * Return the timing that {@code fields} give by an interval: years and months, and days where a
   * zone is named, by the calendar of that zone; else a fixed distance.
   */
  Optional<Timing> every(JsonFields fields, ZoneId usual) {
    Optional<Instant> anchor = fields.instant("anchor");
    fields.word("after", After.class);
    boolean named = fields.has("zone");
    Optional<PeriodDuration> amount = fields.amount("every");
    if (amount.filter(PeriodDuration::isFixed).isPresent() && !named) {
      return fields.tried(
          "every", () -> new Every(amount.get().fixed(), anchor.orElse(Instant.EPOCH)));
    }
    ZoneId zone = zone(fields, "zone", usual);
    if (amount
        .filter(PeriodDuration::isFixed)
        .filter(fixed -> !fixed.time().isZero())
        .isPresent()) {
      fields.error(
          "zone",
          "the calendar of a zone counts days and longer; leave out the zone, or hours, minutes"
              + " and seconds");
      return Optional.empty();
    }
    return amount.flatMap(period -> fields.tried("every", () -> calendar(period, anchor, zone)));
  }

  private static Timing calendar(PeriodDuration amount, Optional<Instant> anchor, ZoneId zone) {
    if (!amount.time().isZero()) {
      throw new InvalidValueException(
          "an interval of years or months has no hours, minutes or seconds");
    }
    return anchor
        .map(instant -> EveryPeriod.from(instant, amount.period(), zone))
        .orElseGet(() -> EveryPeriod.of(amount.period(), zone));
  }

  private ScheduleDraft interval(JsonFields fields, ScheduleDraft draft) {
    Optional<Timing> every = every(fields, UTC);
    boolean finish = every.isPresent() && fields.text("after").filter("finish"::equals).isPresent();
    if (finish && every.get() instanceof EveryPeriod) {
      fields.error("after", "what the calendar counts goes from slot to slot; leave it out");
      return draft;
    }
    Pacing pacing = finish ? Pacing.FINISH : Pacing.SLOT;
    return fields.set(
        draft,
        "every",
        every,
        (named, interval) ->
            interval instanceof Every
                ? named.timing(interval).pacing(pacing)
                : named.timing(interval));
  }

  private ScheduleDraft delayed(JsonFields fields, ScheduleDraft draft) {
    ZoneId zone = delayZone(fields);
    return fields.set(draft, "in", fields.amount("in"), (named, delay) -> named.in(delay, zone));
  }

  /** Return the zone whose calendar counts a delay; without one, every day has 24 hours. */
  ZoneId delayZone(JsonFields fields) {
    return fields.has("zone") ? zone(fields, "zone", UTC) : UTC;
  }

  /** Return when a delay from {@code now} ends. */
  static Instant after(Instant now, PeriodDuration delay, ZoneId zone) {
    try {
      Instant end = delay.after(now, zone);
      if (!end.isAfter(END)) {
        return end;
      }
    } catch (DateTimeException | ArithmeticException e) {
      // falls through to the same complaint
    }
    throw new InvalidValueException("a delay ends before the year 10000");
  }
}
