package dev.carillon.server.api;

import dev.carillon.ScheduleDraft;
import dev.carillon.policy.Pacing;
import dev.carillon.server.read.Fields;
import dev.carillon.time.Cron;
import dev.carillon.time.DstGap;
import dev.carillon.time.DstOverlap;
import dev.carillon.time.Every;
import dev.carillon.time.Timing;
import dev.carillon.time.Zones;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** How a timing is given: by cron expression, interval, instant or delay. */
final class TimingForm {
  /** The fields of which a timing has exactly one. */
  static final List<String> KINDS = List.of("cron", "every", "at", "in");

  private static final int LONGEST_CRON = 256;
  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final Instant END = Instant.parse("9999-12-31T23:59:59Z");

  /** From where an interval is measured, in the words of the contract. */
  private enum After {
    START,
    FINISH
  }

  private TimingForm() {}

  /** Return {@code draft} with the timing that {@code fields} say. */
  static ScheduleDraft apply(Fields fields, ScheduleDraft draft) {
    List<String> given = KINDS.stream().filter(fields::has).toList();
    if (given.size() != 1) {
      fields.mistake(oneKind(given));
      return draft;
    }
    return switch (given.get(0)) {
      case "cron" ->
          fields.set(draft, "cron", cron(fields, draft.key(), UTC), ScheduleDraft::timing);
      case "every" -> interval(fields, draft);
      case "at" -> fields.set(draft, "at", fields.instant("at"), ScheduleDraft::at);
      default -> fields.set(draft, "in", fields.duration("in"), ScheduleDraft::in);
    };
  }

  /** Say that a timing has one kind, not {@code given}. */
  static String oneKind(List<String> given) {
    return "a timing has exactly one of cron, every, at and in; this one has "
        + (given.isEmpty() ? "none" : String.join(", ", given));
  }

  /** Return the timing that {@code fields} give by a cron expression. */
  static Optional<Timing> cron(Fields fields, String key, ZoneId usual) {
    Optional<String> text = fields.text("cron");
    ZoneId zone =
        fields
            .text("zone")
            .flatMap(name -> fields.tried("zone", () -> Zones.of(name)))
            .orElse(usual);
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
  static Timing parsed(String expression, ZoneId zone, String key) {
    if (expression.length() > LONGEST_CRON) {
      throw new IllegalArgumentException(
          "a cron expression has at most %s characters; this one has %s"
              .formatted(LONGEST_CRON, expression.length()));
    }
    return Timing.parse(expression, zone, key);
  }

  /** Return the timing that {@code fields} give by an interval. */
  static Optional<Every> every(Fields fields) {
    Optional<Instant> anchor = fields.instant("anchor");
    fields.word("after", After.class);
    return fields
        .duration("every")
        .flatMap(
            period -> fields.tried("every", () -> new Every(period, anchor.orElse(Instant.EPOCH))));
  }

  private static ScheduleDraft interval(Fields fields, ScheduleDraft draft) {
    Optional<Every> every = every(fields);
    boolean finish = every.isPresent() && fields.text("after").filter("finish"::equals).isPresent();
    Pacing pacing = finish ? Pacing.FINISH : Pacing.SLOT;
    return fields.set(
        draft,
        "every",
        every,
        (named, interval) -> named.every(interval.period(), interval.anchor()).pacing(pacing));
  }

  /** Return when a delay from {@code now} ends. */
  static Instant after(Instant now, Duration delay) {
    try {
      Instant end = now.plus(delay);
      if (!delay.isNegative() && !end.isAfter(END)) {
        return end;
      }
    } catch (DateTimeException | ArithmeticException e) {
      // falls through to the same complaint
    }
    throw new IllegalArgumentException("a delay ends after now and before the year 10000");
  }
}
