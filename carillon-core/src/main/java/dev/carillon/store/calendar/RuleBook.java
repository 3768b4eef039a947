package dev.carillon.store.calendar;

import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.Definition;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.policy.CalendarPolicy;
import dev.carillon.policy.WorkingDuration;
import dev.carillon.time.DueRule;
import dev.carillon.time.DurationText;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.Timing;
import dev.carillon.time.Warning;
import dev.carillon.time.Window;
import dev.carillon.time.Zones;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.CalendarRule;
import dev.carillon.time.business.CalendarTiming;
import dev.carillon.time.business.CalendarTimingRule;
import dev.carillon.time.business.DueRules;
import dev.carillon.time.business.OpenOrClose;
import dev.carillon.time.business.QuietAction;
import dev.carillon.time.business.QuietHours;
import dev.carillon.time.business.QuietHoursRule;
import dev.carillon.time.business.WorkingTime;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** All calendars and quiet hours at one moment, and the rules that they make of definitions. */
public final class RuleBook {
  public static final RuleBook EMPTY = new RuleBook(Map.of(), Map.of(), Map.of());

  private static final Duration SHORTEST = Duration.ofMinutes(1);
  private static final int LOOKED_AT = 500;
  private static final Duration YEAR = Duration.ofDays(366);

  private final Map<String, BusinessCalendar> calendars;
  private final NavigableMap<String, QuietHoursDefinition> quietHours;
  private final Map<String, String> problems;
  private final boolean wide;
  private final QuietHoursRule together;
  private final Map<Key, DueRule> rules = new ConcurrentHashMap<>();

  /* What decides the rule of a definition. */
  private record Key(
      Optional<CalendarTiming> timing,
      Optional<CalendarPolicy> calendar,
      Optional<ZoneId> zone,
      List<String> quiet) {}

  private RuleBook(
      Map<String, BusinessCalendar> calendars,
      Map<String, QuietHoursDefinition> quietHours,
      Map<String, String> problems) {
    this.calendars = Map.copyOf(calendars);
    this.quietHours = new TreeMap<>(quietHours);
    this.problems = Map.copyOf(problems);
    this.together =
        new QuietHoursRule(quietHours.values().stream().map(QuietHoursDefinition::hours).toList());
    this.wide =
        quietHours.values().stream().anyMatch(one -> one.everything() || !one.tags().isEmpty());
  }

  /** Return the book of these calendars and quiet hours. */
  public static RuleBook of(
      Collection<CalendarDefinition> calendars, Collection<QuietHoursDefinition> quietHours) {
    var book = new Builder();
    calendars.forEach(book::add);
    quietHours.forEach(book::add);
    return book.build();
  }

  /** Collects what is stored. */
  static final class Builder {
    private final Map<String, CalendarDefinition> calendars = new HashMap<>();
    private final Map<String, QuietHoursDefinition> quietHours = new HashMap<>();
    private final Map<String, String> problems = new HashMap<>();

    void add(CalendarDefinition calendar) {
      calendars.put(calendar.name(), calendar);
    }

    void add(QuietHoursDefinition hours) {
      quietHours.put(hours.name(), hours);
    }

    void unreadable(String name, String problem) {
      problems.put(name, problem);
    }

    RuleBook build() {
      var resolved = new HashMap<String, BusinessCalendar>();
      calendars.forEach(
          (name, calendar) -> {
            try {
              resolved.put(name, calendar.resolve(this::part));
            } catch (RuntimeException e) { // a part that cannot be read
              problems.put(name, String.valueOf(e.getMessage()));
            }
          });
      return new RuleBook(resolved, quietHours, problems);
    }

    private BusinessCalendar part(String name) {
      return Optional.ofNullable(calendars.get(name))
          .flatMap(CalendarDefinition::own)
          .orElseThrow(
              () -> new InvalidValueException("calendar '%s' does not exist".formatted(name)));
    }
  }

  /**
   * Return when slots of schedules with {@code definition} are due.
   *
   * @throws IllegalStateException if it names a calendar or quiet hours that do not exist
   */
  public DueRule ruleOf(Definition definition) {
    if (!wide && !definition.isRuled()) {
      return DueRule.NONE;
    }
    List<QuietHoursDefinition> quiet =
        quietHours.values().stream().filter(one -> appliesTo(one, definition)).toList();
    unknown(definition)
        .ifPresent(
            problem -> {
              throw new IllegalStateException(problem.getMessage());
            });
    Optional<CalendarTiming> timing = calendarTiming(definition);
    if (quiet.isEmpty() && definition.calendar().isEmpty() && timing.isEmpty()) {
      return DueRule.NONE;
    }
    var key =
        new Key(
            timing,
            definition.calendar(),
            Zones.of(definition.timing()),
            quiet.stream().map(QuietHoursDefinition::name).toList());
    return rules.computeIfAbsent(key, any -> rule(key, quiet));
  }

  /** Tell whether it is quiet for some schedule at {@code at}. */
  public boolean isQuiet(Instant at) {
    return !quietHours.isEmpty() && !together.allows(at);
  }

  /**
   * Which schedules it is quiet for.
   *
   * @param everything whether for all
   * @param tags for those with one of these tags
   * @param names for those that name one of these quiet hours
   */
  public record Quiet(boolean everything, Set<String> tags, Set<String> names) {}

  /** Return for which schedules it may be quiet at one of {@code instants}. */
  public Quiet quietAt(List<Instant> instants) {
    List<QuietHoursDefinition> covering =
        quietHours.values().stream()
            .filter(one -> instants.stream().anyMatch(at -> one.hours().covering(at).isPresent()))
            .toList();
    return new Quiet(
        covering.stream().anyMatch(QuietHoursDefinition::everything),
        covering.stream().flatMap(one -> one.tags().stream()).collect(Collectors.toSet()),
        covering.stream().map(QuietHoursDefinition::name).collect(Collectors.toSet()));
  }

  private static Optional<CalendarTiming> calendarTiming(Definition definition) {
    return definition.timing() instanceof CalendarTiming timing
        ? Optional.of(timing)
        : Optional.empty();
  }

  /** Tell whether quiet hours apply to schedules that do not name them. */
  public boolean isWide() {
    return wide;
  }

  static boolean appliesTo(QuietHoursDefinition hours, Definition definition) {
    return hours.everything()
        || definition.quietHours().filter(hours.name()::equals).isPresent()
        || definition.tags().stream().anyMatch(hours.tags()::contains);
  }

  /** Return the same, or no rule if what the definition names does not exist. */
  public DueRule ruleOrNone(Definition definition) {
    return unknown(definition).isPresent() ? DueRule.NONE : ruleOf(definition);
  }

  private DueRule rule(Key key, List<QuietHoursDefinition> quiet) {
    Optional<CalendarRule> rolls = key.calendar.map(policy -> rule(policy, key.zone));
    List<QuietHours> hours = quiet.stream().map(QuietHoursDefinition::hours).toList();
    return new CachedDueRule(
        key.timing
            .map(timing -> new CalendarTimingRule(timing, known(timing.calendar())))
            .map(timing -> DueRules.of(timing, rolls, hours))
            .orElseGet(() -> DueRules.of(rolls, hours)));
  }

  private BusinessCalendar known(String name) {
    return Optional.ofNullable(calendars.get(name)).orElseThrow();
  }

  /** Return the calendar called {@code name}, if it can be read. */
  public Optional<BusinessCalendar> calendar(String name) {
    return Optional.ofNullable(calendars.get(name));
  }

  /**
   * Return the calendar that counts {@code duration}.
   *
   * @throws InvalidValueException naming the field, and the cure, if there is none, or if it has
   *     not that much working time in the year after {@code now}
   */
  public BusinessCalendar working(WorkingDuration duration, Instant now) {
    unknown(duration.field(), Optional.of(duration.calendar()))
        .ifPresent(
            problem -> {
              throw problem;
            });
    BusinessCalendar calendar = known(duration.calendar());
    Duration year = WorkingTime.between(calendar, now, now.plus(YEAR));
    if (duration.length().compareTo(year) > 0) {
      throw new InvalidValueException(
          duration.field(),
          "%s of working time takes longer than a year: calendar '%s' has %s in the next; use less, or leave the calendar out"
              .formatted(
                  DurationText.of(duration.length()), calendar.name(), DurationText.of(year)));
    }
    return calendar;
  }

  /** Return {@code timing} in the zone of its calendar, if it has none of its own. */
  public Timing zoned(Timing timing) {
    return timing instanceof CalendarTiming named && named.zone().isEmpty()
        ? calendar(named.calendar())
            .<Timing>map(calendar -> named.withZone(calendar.zone()))
            .orElse(timing)
        : timing;
  }

  private CalendarRule rule(CalendarPolicy policy, Optional<ZoneId> zone) {
    BusinessCalendar calendar = known(policy.name());
    return new CalendarRule(
        calendar,
        policy.roll(),
        policy.offset(),
        policy.outsideHours(),
        zone.orElse(calendar.zone()));
  }

  private Optional<InvalidValueException> unknown(Definition definition) {
    Optional<InvalidValueException> calendar =
        unknown("calendar/name", definition.calendar().map(CalendarPolicy::name))
            .or(
                () ->
                    unknown(
                        "timing/calendar",
                        calendarTiming(definition).map(CalendarTiming::calendar)));
    if (calendar.isPresent()) {
      return calendar;
    }
    return definition
        .quietHours()
        .filter(name -> !quietHours.containsKey(name))
        .map(
            name ->
                new InvalidValueException(
                    "quietHours",
                    missing(
                        name,
                        "there are no quiet hours '%s'; create them first, or use one of: %s",
                        quietHours.keySet())));
  }

  private Optional<InvalidValueException> unknown(String field, Optional<String> calendar) {
    return calendar
        .filter(name -> !calendars.containsKey(name))
        .map(
            name ->
                new InvalidValueException(
                    field,
                    missing(
                        name,
                        "there is no calendar '%s'; create it first, or use one of: %s",
                        calendars.keySet())));
  }

  private String missing(String name, String text, Set<String> known) {
    return Optional.ofNullable(problems.get(name))
        .map(problem -> "'%s' cannot be read: %s".formatted(name, problem))
        .orElseGet(() -> text.formatted(name, names(known)));
  }

  private static String names(Set<String> known) {
    return known.isEmpty()
        ? "(none yet)"
        : known.stream().sorted().limit(10).collect(Collectors.joining(", "));
  }

  /**
   * Refuse a definition that names what does not exist.
   *
   * @throws InvalidValueException naming the field, and the cure
   */
  public void checkNames(Definition definition) {
    unknown(definition)
        .ifPresent(
            problem -> {
              throw problem;
            });
  }

  /**
   * Refuse a definition that names what does not exist, or that moves slots which are too close.
   *
   * @throws InvalidValueException naming the field, and the cure
   */
  public void check(String key, Definition definition, Instant now) {
    unknown(definition)
        .ifPresent(
            problem -> {
              throw new InvalidValueException(
                  problem.field().orElse("calendar"),
                  "schedule '" + key + "': " + problem.getMessage());
            });
    for (WorkingDuration duration : definition.workingDurations()) {
      try {
        working(duration, now);
      } catch (InvalidValueException e) {
        throw new InvalidValueException(
            duration.field(), "schedule '" + key + "': " + e.getMessage());
      }
    }
    if (definition.timing() instanceof OpenOrClose edge && !known(edge.calendar()).hasHours()) {
      throw new InvalidValueException(
          "timing/calendar",
          "schedule '%s': calendar '%s' has no working hours, so they never open or close; give it hours, such as 09:00-17:00, or use a cron timing"
              .formatted(key, edge.calendar()));
    }
    boolean defers =
        definition
            .quietHours()
            .map(quietHours::get)
            .filter(policy -> policy.hours().action() == QuietAction.DEFER)
            .isPresent();
    boolean moves = definition.calendar().filter(CalendarPolicy::moves).isPresent();
    if ((moves || defers) && isDense(definition.timing(), now)) {
      throw new InvalidValueException(
          moves ? "calendar" : "quietHours",
          "schedule '%s' fires more often than once a minute, so its slots cannot be moved one by one; use %s, or a timing of at least a minute"
              .formatted(key, moves ? "roll skip" : "quiet hours that skip or coalesce"));
    }
  }

  /**
   * Refuse quiet hours for everything that are never over together with others of the same zone.
   *
   * @throws InvalidValueException naming the field, and the cure
   */
  void checkEnds(QuietHoursDefinition saved) {
    if (!saved.everything()) {
      return;
    }
    List<QuietHours> others =
        quietHours.values().stream()
            .filter(one -> one.everything() && !one.name().equals(saved.name()))
            .map(QuietHoursDefinition::hours)
            .filter(one -> !one.windows().isEmpty() && one.zone().equals(saved.hours().zone()))
            .toList();
    if (saved.hours().isAlwaysWith(others)) {
      throw new InvalidValueException(
          "windows",
          "together with quiet hours '%s' it would always be quiet; leave some time in which runs can start"
              .formatted(
                  others.stream().map(QuietHours::name).collect(Collectors.joining("', '"))));
    }
  }

  /**
   * Return what is odd about a definition: a calendar that it names whose holidays are not known
   * until the end of its window, or not for long any more.
   */
  public List<Warning> warnings(Definition definition, Instant now) {
    return definition.calendarNames().stream()
        .map(calendars::get)
        .filter(Objects::nonNull)
        .flatMap(calendar -> coverage(calendar, definition.window(), now).stream())
        .toList();
  }

  private static Optional<Warning> coverage(BusinessCalendar calendar, Window window, Instant now) {
    LocalDate needed =
        window.until().equals(Instant.MAX)
            ? LocalDate.ofInstant(now, calendar.zone()).plusDays(CalendarCoverage.WARNED_DAYS)
            : LocalDate.ofInstant(window.until(), calendar.zone());
    return calendar
        .coverageUntil()
        .filter(last -> last.isBefore(needed))
        .map(
            last ->
                new Warning(
                    "coverage_ends",
                    "the holidays of calendar '%s' are known until %s only; import the years after that, or set its coverageUntil"
                        .formatted(calendar.name(), last)));
  }

  private static boolean isDense(Timing timing, Instant now) {
    Optional<Instant> slot = timing.next(now);
    for (int seen = 0; seen < LOOKED_AT && slot.isPresent(); seen++) {
      Instant last = slot.get();
      slot = timing.next(last);
      if (slot.filter(next -> Duration.between(last, next).compareTo(SHORTEST) < 0).isPresent()) {
        return true;
      }
    }
    return false;
  }
}
