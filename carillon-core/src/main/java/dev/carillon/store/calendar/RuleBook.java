package dev.carillon.store.calendar;

import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.Definition;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.policy.CalendarPolicy;
import dev.carillon.time.DueRule;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.Timing;
import dev.carillon.time.Zones;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.CalendarRule;
import dev.carillon.time.business.DueRules;
import dev.carillon.time.business.QuietAction;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
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

  private final Map<String, BusinessCalendar> calendars;
  private final NavigableMap<String, QuietHoursDefinition> quietHours;
  private final Map<String, String> problems;
  private final boolean wide;
  private final Map<Key, DueRule> rules = new ConcurrentHashMap<>();

  /* What decides the rule of a definition. */
  private record Key(
      Optional<CalendarPolicy> calendar, Optional<ZoneId> zone, List<String> quiet) {}

  private RuleBook(
      Map<String, BusinessCalendar> calendars,
      Map<String, QuietHoursDefinition> quietHours,
      Map<String, String> problems) {
    this.calendars = Map.copyOf(calendars);
    this.quietHours = new TreeMap<>(quietHours);
    this.problems = Map.copyOf(problems);
    this.wide =
        quietHours.values().stream().anyMatch(one -> one.everything() || !one.tags().isEmpty());
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
    if (!wide && definition.calendar().isEmpty() && definition.quietHours().isEmpty()) {
      return DueRule.NONE;
    }
    List<QuietHoursDefinition> quiet =
        quietHours.values().stream().filter(one -> appliesTo(one, definition)).toList();
    unknown(definition)
        .ifPresent(
            problem -> {
              throw new IllegalStateException(problem.getMessage());
            });
    if (quiet.isEmpty() && definition.calendar().isEmpty()) {
      return DueRule.NONE;
    }
    var key =
        new Key(
            definition.calendar(),
            Zones.of(definition.timing()),
            quiet.stream().map(QuietHoursDefinition::name).toList());
    return rules.computeIfAbsent(key, any -> rule(key, quiet));
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
    return DueRules.of(
        key.calendar.map(policy -> rule(policy, key.zone)),
        quiet.stream().map(QuietHoursDefinition::hours).toList());
  }

  private CalendarRule rule(CalendarPolicy policy, Optional<ZoneId> zone) {
    BusinessCalendar calendar = Optional.ofNullable(calendars.get(policy.name())).orElseThrow();
    return new CalendarRule(
        calendar,
        policy.roll(),
        policy.offset(),
        policy.outsideHours(),
        zone.orElse(calendar.zone()));
  }

  private Optional<InvalidValueException> unknown(Definition definition) {
    Optional<String> calendar =
        definition
            .calendar()
            .map(CalendarPolicy::name)
            .filter(name -> !calendars.containsKey(name));
    if (calendar.isPresent()) {
      return Optional.of(
          new InvalidValueException(
              "calendar.name",
              missing(
                  calendar.get(),
                  "there is no calendar '%s'; create it first, or use one of: %s",
                  calendars.keySet())));
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
