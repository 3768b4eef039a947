package dev.carillon;

import dev.carillon.RuleChanger.Changed;
import dev.carillon.definition.CalendarDiff;
import dev.carillon.definition.FieldChange;
import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.CalendarVersion;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.DayChange;
import dev.carillon.model.DeleteResult;
import dev.carillon.model.Page;
import dev.carillon.model.ReplanResult;
import dev.carillon.model.SaveResult;
import dev.carillon.model.Scope;
import dev.carillon.model.Users;
import dev.carillon.store.calendar.CalendarChanges;
import dev.carillon.store.calendar.CalendarStore;
import dev.carillon.store.calendar.LoadedCalendar;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.Day;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The business calendars of a cluster: saving, finding and deleting them.
 *
 * <p>Each change is a new version with an entry in the audit; the versions before it stay. What
 * returned is durable. What does not exist is an empty answer; what makes no sense is an {@link
 * IllegalArgumentException} that names the field and the cure.
 */
public final class Calendars {
  /** The most days of one answer: three years. */
  public static final int MAX_DAYS = 3 * 366;

  /** The most schedules that are named as users of a calendar. */
  public static final int MAX_USERS = 500;

  private static final String DEFAULT_ACTOR = "java";

  private final RuleChanger changer;
  private final Database database;
  private final String actor;

  Calendars(RuleChanger changer) {
    this(changer, DEFAULT_ACTOR);
  }

  private Calendars(RuleChanger changer, String actor) {
    this.changer = changer;
    this.database = changer.database();
    this.actor = actor;
  }

  /** Return the same calendars as part of {@code tx}. */
  Calendars in(Transaction tx) {
    return new Calendars(changer.in(tx), actor);
  }

  /** Return the same calendars, whose changes are recorded as those of {@code actor}. */
  public Calendars as(String actor) {
    return new Calendars(changer, ScheduleLimits.actor(actor));
  }

  /**
   * Save a calendar with days of its own, and replan the schedules that follow it; the same again
   * changes nothing.
   */
  public SaveResult<CalendarVersion> save(BusinessCalendar calendar) {
    return save(CalendarDefinition.of(calendar), "");
  }

  /**
   * Save a calendar; the same again changes nothing.
   *
   * @param reason why, as its versions and the audit keep it; may be empty
   */
  public SaveResult<CalendarVersion> save(CalendarDefinition calendar, String reason) {
    return save(calendar, reason, Optional.empty()).orElseThrow();
  }

  /**
   * Save a calendar as {@link #save(CalendarDefinition, String)} does, but only if it has {@code
   * version}, or does not exist if that is 0; empty if there is none although there should be.
   */
  public Optional<SaveResult<CalendarVersion>> save(
      CalendarDefinition calendar, String reason, int version) {
    return save(calendar, reason, Optional.of(version));
  }

  private Optional<SaveResult<CalendarVersion>> save(
      CalendarDefinition calendar, String reason, Optional<Integer> version) {
    ChangedBy by = changedBy();
    String why = reason.isEmpty() ? "" : ReasonText.of("saving a calendar", reason);
    Changed<Optional<SaveResult<CalendarVersion>>> saved =
        changer.change(
            (tx, effect) -> new CalendarChanges(tx, effect).save(calendar, version, why, by));
    ReplanResult replan = changer.replan(saved.asked());
    return saved.result().map(result -> result.replanned(replan));
  }

  /** Return what {@link #save} would do; stores nothing. */
  public SaveResult<CalendarVersion> dryRun(CalendarDefinition calendar) {
    ChangedBy by = changedBy();
    return changer
        .rehearse(
            (tx, effect) ->
                new CalendarChanges(tx, effect).save(calendar, Optional.empty(), "", by))
        .orElseThrow();
  }

  /** Return the calendar as {@link #save} would store it, which stores nothing. */
  public BusinessCalendar check(CalendarDefinition calendar) {
    return changer.rehearse((tx, effect) -> new CalendarChanges(tx, effect).check(calendar));
  }

  /** Find the current version of a calendar. */
  public Optional<CalendarVersion> get(String name) {
    return CalendarStore.find(database, name);
  }

  /** Find a calendar with its days, of a combined one with those that it combines. */
  public Optional<BusinessCalendar> resolve(String name) {
    return get(name)
        .flatMap(
            found ->
                Optional.ofNullable(CalendarStore.load(database, List.of(name)).get(name))
                    .flatMap(LoadedCalendar::calendar));
  }

  /** Return the names of the calendars in order, at most a thousand. */
  public List<String> names() {
    return CalendarStore.names(database);
  }

  /**
   * Return a page of calendars by name, of at most four MiB of JSON.
   *
   * @param after what came with the page before; empty for the first
   */
  public Page<CalendarVersion> page(Optional<String> after, int limit) {
    return CalendarStore.page(database, after, limit);
  }

  /** Find a version that a calendar has or had. */
  public Optional<CalendarVersion> version(String name, int version) {
    return CalendarStore.version(database, name, version);
  }

  /** Return a page of the versions a calendar has had, newest first. */
  public Page<CalendarVersion> versions(String name, Optional<String> after, int limit) {
    return CalendarStore.versions(database, name, after, limit);
  }

  /** Tell in which fields two calendars differ; of their lists of days, on which days. */
  public static List<FieldChange> diff(CalendarDefinition before, CalendarDefinition after) {
    return CalendarDiff.between(before, after);
  }

  /**
   * Return what a calendar says about the dates from {@code from} up to, not including, {@code to}.
   */
  public static List<Day> days(BusinessCalendar calendar, LocalDate from, LocalDate to) {
    long days = ChronoUnit.DAYS.between(from, to);
    if (days < 0 || days > MAX_DAYS) {
      throw new InvalidValueException(
          "to",
          "must be from 0 to %s days after 'from'; was %s days after".formatted(MAX_DAYS, days));
    }
    return Stream.iterate(from, date -> date.plusDays(1)).limit(days).map(calendar::day).toList();
  }

  /** Return the days that two calendars take for something else, in the same period. */
  public static List<DayChange> daysChanged(
      BusinessCalendar before, BusinessCalendar after, LocalDate from, LocalDate to) {
    return days(before, from, to).stream()
        .map(day -> new DayChange(day, after.day(day.date())))
        .filter(
            change ->
                change.before().kind() != change.after().kind()
                    || !before.hoursOn(change.date()).equals(after.hoursOn(change.date())))
        .toList();
  }

  /**
   * Return who uses a calendar, of schedules those that {@code scope} reaches.
   *
   * @param most how many schedules to name, at most {@link #MAX_USERS}
   */
  public Users users(String name, Scope scope, int most) {
    return CalendarStore.users(database, name, scope, ScheduleLimits.count(most, MAX_USERS));
  }

  /** Delete a calendar that neither schedules nor other calendars use. */
  public DeleteResult delete(String name) {
    return delete(name, Optional.empty());
  }

  /** Delete a calendar like {@link #delete(String)}, but only as {@code version}. */
  public DeleteResult delete(String name, int version) {
    return delete(name, Optional.of(version));
  }

  /** Return what {@link #delete(String)} would do; deletes nothing. */
  public DeleteResult deleteDryRun(String name) {
    ChangedBy by = changedBy();
    return changer.rehearse(
        (tx, effect) -> new CalendarChanges(tx, effect).delete(name, Optional.empty(), by));
  }

  private DeleteResult delete(String name, Optional<Integer> version) {
    ChangedBy by = changedBy();
    return changer
        .change((tx, effect) -> new CalendarChanges(tx, effect).delete(name, version, by))
        .result();
  }

  private ChangedBy changedBy() {
    return new ChangedBy(changer.now(), actor);
  }
}
