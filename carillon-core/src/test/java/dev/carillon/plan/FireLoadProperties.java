package dev.carillon.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Gen;
import dev.carillon.fixture.Property;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Definition;
import dev.carillon.model.LoadForecast;
import dev.carillon.model.LoadForecast.BusyMinute;
import dev.carillon.model.Pause;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.UpcomingSlot;
import dev.carillon.policy.Pacing;
import dev.carillon.time.Cron;
import dev.carillon.time.DueRule;
import dev.carillon.time.Every;
import dev.carillon.time.EveryPeriod;
import dev.carillon.time.Jitter;
import dev.carillon.time.Once;
import dev.carillon.time.Timing;
import dev.carillon.time.Window;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.CalendarRule;
import dev.carillon.time.business.CalendarTiming;
import dev.carillon.time.business.CalendarTimingRule;
import dev.carillon.time.business.DueRules;
import dev.carillon.time.business.Freeze;
import dev.carillon.time.business.OpenOrClose;
import dev.carillon.time.business.OutsideHours;
import dev.carillon.time.business.QuietAction;
import dev.carillon.time.business.QuietHours;
import dev.carillon.time.business.QuietWindow;
import dev.carillon.time.business.Roll;
import dev.carillon.time.business.WorkingHoursEdge.Edge;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Period;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** The load of many schedules is the sum of the previews of each. */
class FireLoadProperties {
  private static final Duration LENGTH = Duration.ofHours(3);
  private static final int ENOUGH = 25_000;

  /* No rule of these moves a slot further, and neither does jitter. */
  private static final Duration FURTHEST_MOVE = Duration.ofDays(12);
  private static final List<ZoneId> ZONES =
      List.of(ZoneId.of("UTC"), ZoneId.of("Europe/Rome"), ZoneId.of("Australia/Lord_Howe"));
  private static final List<String> EXPRESSIONS =
      List.of(
          "* * * * *",
          "*/7 * * * *",
          "0 * * * *",
          "30 2 * * *",
          "*/20 * * * * *",
          "5,6 * * * *",
          "H * * * *",
          "H/10 * * * *",
          "*/3 H * * * *");

  /** A schedule, and what its runs and its cursor say. */
  private record Case(Schedule schedule, ScheduleProgress progress, FireGroup group) {
    DueRule rule() {
      return group.rule();
    }
  }

  /** A definition, and what moves its due times. */
  private record Ruled(Definition definition, DueRule rule) {}

  @Property(cases = 200)
  void the_load_of_a_minute_is_the_sum_of_the_previews_of_all_schedules(Gen any) {
    Instant now = nearClockChange(any).truncatedTo(ChronoUnit.MILLIS);
    Instant from = any.percent(50) ? now : now.plus(any.upTo(LENGTH));
    Instant to = from.plusSeconds(1).plus(any.upTo(LENGTH));
    List<Ruled> pool = new ArrayList<>();
    for (int i = any.number(1, 4); i > 0; i--) {
      Definition definition = definition(any, now);
      pool.add(new Ruled(definition, rule(any, definition, now)));
    }
    var cases = new ArrayList<Case>();
    for (int i = any.number(0, 25); i > 0; i--) {
      cases.add(anyCase(any, "key-" + (100 + i), any.oneOf(pool), now));
    }

    LoadForecast load = load(cases, from, to, now);

    var expected = new TreeMap<Instant, Long>();
    var keys = new TreeMap<Instant, NavigableSet<String>>();
    for (Case one : cases) {
      for (UpcomingSlot slot : preview(one, now, to)) {
        if (!slot.dueAt().isBefore(from) && slot.dueAt().isBefore(to)) {
          Instant minute = slot.dueAt().truncatedTo(ChronoUnit.MINUTES);
          expected.merge(minute, 1L, Long::sum);
          keys.computeIfAbsent(minute, none -> new TreeSet<>()).add(one.schedule.key());
        }
      }
    }
    assertThat(perMinute(load))
        .as("%s from %s to %s, now %s", cases, from, to, now)
        .isEqualTo(expected);
    assertThat(load.worst()).isEqualTo(worst(expected, keys));
    assertThat(load.schedules().firing())
        .isEqualTo(keys.values().stream().flatMap(NavigableSet::stream).distinct().count());
    assertThat(load.spreading().peakWithHash()).isBetween(0L, load.spreading().peak());
    assertThat(load.spreading().peakWithJitter()).isBetween(0L, load.spreading().peak());
  }

  /* Every slot that may be due before that time. */
  private static List<UpcomingSlot> preview(Case one, Instant now, Instant to) {
    Instant last = to.plus(one.rule() == DueRule.NONE ? LENGTH : FURTHEST_MOVE);
    for (int limit = 100; ; limit = Math.min(ENOUGH, limit * 5)) {
      List<UpcomingSlot> slots = Preview.of(one.schedule, one.progress, one.rule(), now, limit);
      if (limit == ENOUGH || slots.size() < limit || slots.get(limit - 1).slot().isAfter(last)) {
        return slots;
      }
    }
  }

  private static LoadForecast load(List<Case> cases, Instant from, Instant to, Instant now) {
    Map<List<Object>, List<Case>> groups = new LinkedHashMap<>();
    for (Case one : cases) {
      Definition definition = one.schedule.definition();
      boolean byKey =
          !definition.jitter().amount().isZero()
              || (definition.timing() instanceof Cron cron && cron.expression().contains("H"));
      groups
          .computeIfAbsent(
              List.of(definition, one.rule(), one.group.outlook(), byKey ? one.schedule.key() : ""),
              none -> new ArrayList<>())
          .add(one);
    }
    var load = new FireLoad(from, to, now);
    groups.values().stream()
        .map(
            same -> {
              List<String> keys = same.stream().map(one -> one.schedule.key()).sorted().toList();
              FireGroup first = same.get(0).group;
              return new FireGroup(
                  first.definition(),
                  first.outlook(),
                  same.size(),
                  keys.subList(0, Math.min(10, keys.size())),
                  first.rule());
            })
        .sorted(Comparator.comparing(group -> group.keys().get(0)))
        .forEach(load::add);
    return load.forecast(0);
  }

  private static Map<Instant, Long> perMinute(LoadForecast load) {
    var fires = new TreeMap<Instant, Long>();
    for (int minute = 0; minute < load.fires().size(); minute++) {
      if (load.fires().get(minute) != 0) {
        fires.put(load.firstMinute().plusSeconds(60L * minute), load.fires().get(minute));
      }
    }
    return fires;
  }

  private static List<BusyMinute> worst(
      Map<Instant, Long> fires, Map<Instant, NavigableSet<String>> keys) {
    return fires.entrySet().stream()
        .sorted(
            Map.Entry.<Instant, Long>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(10)
        .map(
            minute -> {
              NavigableSet<String> who = keys.getOrDefault(minute.getKey(), new TreeSet<>());
              return new BusyMinute(
                  minute.getKey(), minute.getValue(), who.size(), who.stream().limit(10).toList());
            })
        .toList();
  }

  private static Instant nearClockChange(Gen any) {
    Instant instant = any.instant();
    var change = any.oneOf(ZONES).getRules().nextTransition(instant);
    return change == null || any.percent(50)
        ? instant
        : change.getInstant().minus(any.upTo(LENGTH));
  }

  private static Definition definition(Gen any, Instant now) {
    var definition = new Definition.Builder("log", timing(any, now));
    definition.jitter =
        any.percent(60)
            ? Jitter.NONE
            : new Jitter(any.upTo(Duration.ofHours(2)), any.oneOf(Jitter.Mode.values()));
    if (any.percent(20)) {
      Instant opens = now.minusSeconds(3_600).plus(any.upTo(LENGTH));
      definition.window =
          any.percent(50) ? Window.from(opens) : new Window(opens, opens.plus(any.upTo(LENGTH)));
    }
    if (any.percent(20)) {
      definition.maxRuns = any.number(1, 300);
    }
    if (definition.timing instanceof Every && any.percent(20)) {
      definition.pacing = Pacing.FINISH;
    }
    return definition.build();
  }

  private static Timing timing(Gen any, Instant now) {
    return switch (any.number(0, 10)) {
      case 10 ->
          new OpenOrClose(
              "bank",
              any.oneOf(Edge.values()),
              Duration.ofMinutes(any.number(-300, 300)),
              Optional.of(any.oneOf(ZONES)));
      case 0 -> new Once(now.plus(any.upTo(LENGTH)).plusMillis(any.number(0, 999)));
      case 1 -> EveryPeriod.of(Period.ofDays(1), any.oneOf(ZONES));
      case 2, 3, 4 ->
          new Every(
              Duration.ofSeconds(any.percent(30) ? any.number(1, 90) : any.number(60, 7_200)),
              Instant.ofEpochSecond(any.number(0, 100_000)));
      default -> Cron.parse(any.oneOf(EXPRESSIONS), any.oneOf(ZONES), "shared");
    };
  }

  /* Cron expressions with H are parsed for the key. */
  private static Case anyCase(Gen any, String key, Ruled shared, Instant now) {
    Definition definition =
        shared.definition.timing() instanceof Cron cron
            ? shared.definition.with(
                change -> change.timing = Cron.parse(cron.expression(), cron.zone(), key))
            : shared.definition;
    var pipeline = new DuePipeline(key, definition, shared.rule);
    boolean paused = any.percent(15);
    Optional<Instant> until =
        any.percent(70) ? Optional.of(now.plusSeconds(1).plus(any.upTo(LENGTH))) : Optional.empty();
    Optional<Pause> pause = paused ? Optional.of(new Pause("why", until)) : Optional.empty();
    Optional<Pause> coming =
        paused || any.percent(80) ? Optional.empty() : Optional.of(coming(any, now));
    Optional<Instant> firstPaused =
        coming
            .flatMap(Pause::from)
            .map(from -> SlotsToCome.from(definition.timing(), shared.rule, from));
    var ahead = new TreeSet<Instant>();
    /* A preview lets slots that have runs already count among the most there may be; planning does not. */
    boolean rewound = definition.maxRuns() == 0 && any.percent(20);
    Instant reach = SlotsToCome.after(definition.timing(), shared.rule, now);
    if (!paused && definition.pacing() == Pacing.SLOT && any.percent(50)) {
      Instant first = reach;
      reach = first.plusSeconds(any.number(0, 120));
      definition.window().between(definition.timing(), first, reach).stream()
          .filter(slot -> firstPaused.filter(from -> !slot.isBefore(from)).isEmpty())
          .filter(slot -> any.percent(90))
          .forEach(ahead::add);
      var dues = new TreeSet<Instant>();
      ahead.removeIf(
          slot ->
              !pipeline.judge(slot).runs()
                  || !pipeline.judge(slot).dueAt().isAfter(now)
                  || !dues.add(pipeline.judge(slot).due()));
    }
    Optional<Instant> next =
        paused
            ? Optional.empty()
            : Planner.next(definition, rewound ? now.minusSeconds(30) : reach)
                .filter(slot -> firstPaused.filter(from -> !slot.isBefore(from)).isEmpty());
    long runs = any.number(0, 200);
    var progress = new ScheduleProgress(next, List.copyOf(ahead), runs);
    var schedule =
        new Schedule(
            7,
            key,
            1,
            paused ? ScheduleStatus.PAUSED : ScheduleStatus.ACTIVE,
            false,
            pause,
            coming,
            definition,
            new ChangedBy(now, "ada"),
            new ChangedBy(now, "ada"),
            next);
    var outlook =
        new FireGroup.Outlook(
            next,
            coming.flatMap(Pause::from),
            pause.or(() -> coming).flatMap(Pause::until),
            definition.maxRuns() == 0 ? 0 : runs,
            ahead.stream().map(slot -> pipeline.judge(slot).dueAt()).sorted().toList(),
            rewound ? List.copyOf(ahead) : List.of(),
            List.copyOf(ahead));
    return new Case(
        schedule, progress, new FireGroup(definition, outlook, 1, List.of(key), shared.rule));
  }

  private static Pause coming(Gen any, Instant now) {
    Instant from = now.plusSeconds(1).plus(any.upTo(LENGTH));
    Pause pause = Pause.because("why").startingAt(from);
    return any.percent(70) ? pause.endingAt(from.plusSeconds(1).plus(any.upTo(LENGTH))) : pause;
  }

  /* Slots that are less than a minute apart are not moved one by one. */
  private static DueRule rule(Gen any, Definition definition, Instant now) {
    boolean dense =
        definition
            .timing()
            .next(now)
            .flatMap(one -> definition.timing().next(one).map(two -> Duration.between(one, two)))
            .filter(distance -> distance.compareTo(Duration.ofMinutes(1)) < 0)
            .isPresent();
    boolean byCalendar = definition.timing() instanceof CalendarTiming;
    if (dense || (!byCalendar && any.percent(50))) {
      return DueRule.NONE;
    }
    ZoneId zone = any.oneOf(ZONES);
    LocalDate today = LocalDate.ofInstant(now, zone);
    Optional<CalendarRule> calendar = Optional.empty();
    BusinessCalendar days =
        BusinessCalendar.named("bank", zone)
            .holiday(today.plusDays(any.number(-1, 1)), "a feast")
            .weekdayHours("00:00-11:00", "12:00-23:00")
            .build();
    if (any.percent(50)) {
      calendar =
          Optional.of(
              new CalendarRule(
                  days,
                  any.oneOf(Roll.values()),
                  any.percent(30) ? any.number(-1, 1) : 0,
                  any.oneOf(OutsideHours.values()),
                  zone));
    }
    Instant quiet = now.plus(any.upTo(LENGTH));
    var hours =
        new QuietHours(
            "hush",
            zone,
            any.percent(50) ? List.of(QuietWindow.daily("12:15-13:45")) : List.of(),
            List.of(new Freeze(quiet, quiet.plusSeconds(1).plus(any.upTo(LENGTH)), "why")),
            any.oneOf(QuietAction.values()));
    List<QuietHours> quietHours =
        (calendar.isEmpty() && !byCalendar) || any.percent(50) ? List.of(hours) : List.of();
    return definition.timing() instanceof CalendarTiming timing
        ? DueRules.of(new CalendarTimingRule(timing, days), calendar, quietHours)
        : DueRules.of(calendar, quietHours);
  }
}
