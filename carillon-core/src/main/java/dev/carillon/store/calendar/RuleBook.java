package dev.carillon.store.calendar;

import dev.carillon.model.Definition;
import dev.carillon.model.QuietPolicy;
import dev.carillon.policy.CalendarPolicy;
import dev.carillon.policy.QuietScope;
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
  public static final RuleBook EMPTY = new RuleBook(Map.of(), Map.of());

  private static final Duration SHORTEST = Duration.ofMinutes(1);
  private static final int LOOKED_AT = 500;

  private final Map<String, BusinessCalendar> calendars;
  private final NavigableMap<String, QuietPolicy> quietPolicies;
  private final boolean wide;
  private final Map<Key, DueRule> rules = new ConcurrentHashMap<>();

  /* What decides the rule of a definition. */
  private record Key(
      Optional<CalendarPolicy> calendar, Optional<ZoneId> zone, List<String> quiet) {}

  RuleBook(Map<String, BusinessCalendar> calendars, Map<String, QuietPolicy> quietPolicies) {
    this.calendars = Map.copyOf(calendars);
    this.quietPolicies = new TreeMap<>(quietPolicies);
    this.wide =
        quietPolicies.values().stream()
            .anyMatch(policy -> policy.scope().kind() != QuietScope.Kind.NAMED);
  }

  /** Return this with a calendar added or replaced. */
  public RuleBook with(BusinessCalendar calendar) {
    var changed = new TreeMap<>(calendars);
    changed.put(calendar.name(), calendar);
    return new RuleBook(changed, quietPolicies);
  }

  /** Return this with quiet hours added or replaced. */
  public RuleBook with(QuietPolicy policy) {
    var changed = new TreeMap<>(quietPolicies);
    changed.put(policy.hours().name(), policy);
    return new RuleBook(calendars, changed);
  }

  /** Return this without the quiet hours called {@code name}. */
  public RuleBook withoutQuietHours(String name) {
    var changed = new TreeMap<>(quietPolicies);
    changed.remove(name);
    return new RuleBook(calendars, changed);
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
    List<QuietPolicy> quiet =
        quietPolicies.values().stream().filter(policy -> policy.appliesTo(definition)).toList();
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
            quiet.stream().map(policy -> policy.hours().name()).toList());
    return rules.computeIfAbsent(key, any -> rule(key, quiet));
  }

  /** Return the same, or no rule if what the definition names does not exist. */
  public DueRule ruleOrNone(Definition definition) {
    return unknown(definition).isPresent() ? DueRule.NONE : ruleOf(definition);
  }

  private DueRule rule(Key key, List<QuietPolicy> quiet) {
    return DueRules.of(
        key.calendar.map(policy -> rule(policy, key.zone)),
        quiet.stream().map(QuietPolicy::hours).toList());
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
              "calendar",
              "there is no calendar '%s'; create it first, or use one of: %s"
                  .formatted(calendar.get(), names(calendars.keySet()))));
    }
    return definition
        .quietHours()
        .filter(name -> !quietPolicies.containsKey(name))
        .map(
            name ->
                new InvalidValueException(
                    "quietHours",
                    "there are no quiet hours '%s'; create them first, or use one of: %s"
                        .formatted(name, names(quietPolicies.keySet()))));
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
            .map(quietPolicies::get)
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
