package dev.carillon.simulation;

import dev.carillon.FreezeDraft;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.Gen;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.policy.CalendarPolicy;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Deadline;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Recovery;
import dev.carillon.policy.Retry;
import dev.carillon.time.Jitter;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.BusinessCalendarBuilder;
import dev.carillon.time.business.Freeze;
import dev.carillon.time.business.OutsideHours;
import dev.carillon.time.business.QuietAction;
import dev.carillon.time.business.QuietHours;
import dev.carillon.time.business.Roll;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/** Schedules and runs as a seed thinks them up: of every kind, and busy. */
final class Drafts {
  static final List<String> TARGETS = List.of("bell", "chime", "bell", "chime", SimWorker.TARGET);
  static final String SHOP = "shop";
  static final String QUIET = "quiet";
  static final List<String> TAGS = List.of("quiet", "reports", "night");
  private static final List<String> WORDS = List.of("red", "green");

  private final Gen gen;

  Drafts(Gen gen) {
    this.gen = gen;
  }

  ScheduleDraft schedule(String key, Instant now) {
    ScheduleDraft draft = timed(ScheduleDraft.named(key).target(gen.oneOf(TARGETS)), now);
    draft = draft.overlap(overlap()).catchUp(catchUp());
    if (gen.percent(30)) {
      Duration amount = Duration.ofMillis(gen.number(1, 20_000));
      draft = draft.jitter(gen.percent(50) ? Jitter.around(amount) : Jitter.after(amount));
    }
    if (gen.percent(15)) {
      draft = draft.from(now.plusSeconds(gen.number(1, 90)));
    }
    if (gen.percent(15)) {
      draft = draft.until(now.plusSeconds(gen.number(91, 400)));
    }
    if (gen.percent(15)) {
      draft = draft.maxRuns(gen.number(1, 8));
    }
    return strict(ruled(draft));
  }

  private ScheduleDraft ruled(ScheduleDraft draft) {
    ScheduleDraft ruled = gen.percent(35) ? draft.tags(tags()) : draft;
    ruled = gen.percent(15) ? ruled.quietHours(QUIET) : ruled;
    if (gen.percent(20)) {
      OutsideHours answer = gen.oneOf(OutsideHours.SKIP, OutsideHours.SKIP, OutsideHours.DEFER);
      ruled = ruled.calendar(CalendarPolicy.of(SHOP, Roll.SKIP).outsideHours(answer));
    }
    return ruled;
  }

  /** Return one tag or several. */
  String[] tags() {
    return gen.percent(60)
        ? new String[] {gen.oneOf(TAGS)}
        : TAGS.subList(0, gen.number(1, TAGS.size())).toArray(String[]::new);
  }

  FreezeDraft freeze(Instant now, Duration longest) {
    FreezeDraft freeze =
        FreezeDraft.until(now.plusSeconds(gen.number(5L, longest.toSeconds())), "a freeze");
    freeze = gen.percent(50) ? freeze : freeze.of(gen.oneOf(TAGS));
    return gen.percent(50) ? freeze : freeze.action(gen.oneOf(QuietAction.values()));
  }

  /* Closed for some minutes of each quarter, on every day. */
  BusinessCalendar shop() {
    int opens = gen.number(1, 7);
    int closes = gen.number(8, 13);
    var spans = new ArrayList<String>();
    for (int quarter = 0; quarter < 11; quarter++) {
      LocalTime begin = LocalTime.MIDNIGHT.plusMinutes(15L * quarter);
      spans.add(begin.plusMinutes(opens) + "-" + begin.plusMinutes(closes));
    }
    spans.add("02:45-24:00");
    BusinessCalendarBuilder shop = BusinessCalendar.named(SHOP, ZoneId.of("UTC")).weekend();
    for (DayOfWeek day : DayOfWeek.values()) {
      shop.hours(day, spans.toArray(String[]::new));
    }
    return shop.build();
  }

  static final String MIGRATION = "migration";

  QuietHoursDefinition quietHours(Instant now) {
    Instant from = now.plusSeconds(gen.number(-30, 60));
    var freeze = new Freeze(from, from.plusSeconds(gen.number(5, 150)), "a story");
    var hours =
        new QuietHours(
            gen.percent(50) ? QUIET : MIGRATION,
            ZoneId.of("UTC"),
            List.of(),
            List.of(freeze),
            gen.oneOf(QuietAction.values()));
    return gen.oneOf(
        QuietHoursDefinition.of(hours),
        QuietHoursDefinition.ofTags(hours, tags()),
        QuietHoursDefinition.ofEverything(hours));
  }

  ScheduleDraft strict(ScheduleDraft draft) {
    ScheduleDraft strict = draft;
    if (gen.percent(25)) {
      strict = strict.atMostOnce();
    } else if (gen.percent(50)) {
      strict = strict.retry(retry());
      strict = gen.percent(20) ? strict.recovery(Recovery.FAIL) : strict;
    }
    if (gen.percent(40)) {
      strict = strict.timeout(Duration.ofSeconds(gen.number(2, 20)));
    }
    if (gen.percent(30)) {
      strict = strict.deadline(deadline());
    }
    return gen.percent(20) ? strict.pauseAfterFailures(gen.number(1, 3)) : strict;
  }

  private Deadline deadline() {
    return Deadline.after(Duration.ofSeconds(gen.number(1, 30)), gen.oneOf(TARGETS));
  }

  private Retry retry() {
    return Retry.times(gen.number(2, 4)).backoff(Duration.ofMillis(gen.number(0, 6_000)));
  }

  private ScheduleDraft timed(ScheduleDraft draft, Instant now) {
    return switch (gen.number(0, 9)) {
      case 0, 1 -> draft.cron(gen.oneOf("* * * * *", "*/2 * * * *"), "Europe/Rome");
      case 2, 3 -> draft.cron(gen.oneOf("*/7 * * * * *", "*/20 * * * * *"));
      case 4 -> draft.at(now.plusMillis(gen.number(-5_000, 90_000)));
      case 5, 6 -> draft.every(Duration.ofSeconds(gen.number(5, 25))).afterFinish();
      default -> draft.every(Duration.ofSeconds(gen.number(3, 45)));
    };
  }

  Overlap overlap() {
    return gen.oneOf(
        Overlap.SKIP,
        Overlap.SKIP,
        Overlap.ALLOW,
        Overlap.queue(gen.number(1, 5)),
        Overlap.QUEUE_ONE,
        Overlap.CANCEL_PREVIOUS);
  }

  CatchUp catchUp() {
    CatchUp catchUp =
        gen.oneOf(CatchUp.skip(), CatchUp.once(), CatchUp.all(), CatchUp.spread())
            .grace(Duration.ofSeconds(gen.number(0, 12)));
    if (gen.percent(50)) {
      catchUp = catchUp.limit(gen.number(1, 5));
    }
    return gen.percent(20) ? catchUp.maxAge(Duration.ofSeconds(gen.number(20, 120))) : catchUp;
  }

  RunDraft run() {
    RunDraft draft = RunDraft.of(gen.oneOf(TARGETS)).in(Duration.ofMillis(gen.number(0, 20_000)));
    if (gen.percent(40)) {
      draft = draft.correlation(word());
    }
    if (gen.percent(40)) {
      return draft.atMostOnce();
    }
    if (gen.percent(30)) {
      draft = draft.deadline(deadline());
    }
    return gen.percent(40) ? draft.retry(retry()) : draft;
  }

  String word() {
    return gen.oneOf(WORDS);
  }
}
