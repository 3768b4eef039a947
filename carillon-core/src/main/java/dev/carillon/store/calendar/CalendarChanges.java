package dev.carillon.store.calendar;

import dev.carillon.definition.CalendarJson;
import dev.carillon.definition.FieldLimits;
import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.CalendarVersion;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.DeleteResult;
import dev.carillon.model.DeleteResult.Outcome;
import dev.carillon.model.RuleUse;
import dev.carillon.model.SaveResult;
import dev.carillon.model.SaveResult.Change;
import dev.carillon.model.Scope;
import dev.carillon.model.SlotShift;
import dev.carillon.model.StorableText;
import dev.carillon.model.Users;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.business.BusinessCalendar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Saves and deletes calendars, in one transaction and one after the other. */
public final class CalendarChanges {
  /** How many schedules are named that keep a calendar from being deleted. */
  public static final int NAMED_USERS = 10;

  private final Transaction tx;
  private final RuleEffect effect;

  public CalendarChanges(Transaction tx, RuleEffect effect) {
    this.tx = tx;
    this.effect = effect;
  }

  /**
   * Save a calendar; the same again changes nothing.
   *
   * @param expected the version it must have, if that matters; 0 if there must be none
   * @param reason why, in words; may be empty
   * @return what there is now; empty if there is none although a version was expected
   */
  public Optional<SaveResult<CalendarVersion>> save(
      CalendarDefinition definition, Optional<Integer> expected, String reason, ChangedBy by) {
    FieldLimits.name("a calendar", definition.name());
    lockAll();
    Optional<Current> before = current(definition);
    Optional<Integer> version = before.filter(Current::isThere).map(Current::version);
    if (expected.isPresent() && !expected.get().equals(version.orElse(0))) {
      return version.map(there -> result(definition.name(), Change.STALE));
    }
    if (version.isPresent() && before.filter(Current::same).isPresent()) {
      return Optional.of(result(definition.name(), Change.UNCHANGED));
    }
    BusinessCalendar calendar = check(definition);
    RuleBook rules = RuleBooks.change(tx);
    if (!calendar.hasHours()) {
      refuseIfHoursAreWanted(definition.name());
    }
    write(definition, before.map(Current::version).orElse(0) + 1, reason, by);
    SlotShift shift = effect.changed(rules, RuleBooks.read(tx), uses(definition.name()), by.at());
    audit("calendar.saved", definition.name(), shift, reason, by);
    return Optional.of(
        result(definition.name(), version.isPresent() ? Change.NEW_VERSION : Change.CREATED)
            .shifting(shift));
  }

  private List<RuleUse> uses(String name) {
    return Stream.concat(Stream.of(name), new CalendarUsers(tx).combining(name).stream())
        .map(RuleUse::ofCalendar)
        .toList();
  }

  /* A combination has the hours of the first that it combines. */
  private void refuseIfHoursAreWanted(String name) {
    var users = new CalendarUsers(tx);
    Stream<String> combining =
        users.combining(name).stream()
            .filter(
                other ->
                    CalendarStore.find(tx, other)
                        .filter(found -> found.definition().combines().get(0).equals(name))
                        .isPresent());
    List<String> schedules =
        users.byHours(Stream.concat(Stream.of(name), combining).toList(), NAMED_USERS);
    if (!schedules.isEmpty()) {
      throw new InvalidValueException(
          "hours",
          "schedules fire when the working hours of '%s' open or close: %s; leave it some hours, or change their timings first"
              .formatted(name, String.join(", ", schedules)));
    }
  }

  /** Check that a calendar can be resolved, and those that combine it, as {@link #save} does. */
  public BusinessCalendar check(CalendarDefinition definition) {
    Map<String, LoadedCalendar> parts = CalendarStore.load(tx, definition.combines());
    BusinessCalendar calendar =
        definition.resolve(part -> plain(definition, part, Optional.ofNullable(parts.get(part))));
    List<String> combining = new CalendarUsers(tx).combining(definition.name());
    if (!combining.isEmpty() && definition.own().isEmpty()) {
      throw new InvalidValueException(
          "combines",
          "calendar '%s' combines '%s', so that cannot combine others; list them there"
              .formatted(combining.get(0), definition.name()));
    }
    for (String other : combining) {
      CalendarStore.find(tx, other)
          .ifPresent(
              found -> {
                Map<String, LoadedCalendar> others =
                    CalendarStore.load(tx, found.definition().combines());
                found
                    .definition()
                    .resolve(
                        part ->
                            part.equals(definition.name())
                                ? calendar
                                : plain(
                                    found.definition(),
                                    part,
                                    Optional.ofNullable(others.get(part))));
              });
    }
    return calendar;
  }

  private static BusinessCalendar plain(
      CalendarDefinition whole, String part, Optional<LoadedCalendar> loaded) {
    if (part.equals(whole.name())) {
      throw new InvalidValueException(
          "combines", "a calendar cannot combine itself; remove '%s'".formatted(part));
    }
    LoadedCalendar found =
        loaded.orElseThrow(
            () ->
                new InvalidValueException(
                    "combines",
                    "there is no calendar '%s'; save it first, or correct the name"
                        .formatted(part)));
    BusinessCalendar calendar =
        found.calendar().orElseThrow(() -> new InvalidValueException("combines", found.problem()));
    if (!calendar.parts().isEmpty()) {
      throw new InvalidValueException(
          "combines",
          "calendar '%s' combines others itself; name those: %s"
              .formatted(
                  part,
                  String.join(
                      ", ", calendar.parts().stream().map(BusinessCalendar::name).toList())));
    }
    return calendar;
  }

  /** Delete a calendar that nothing uses. */
  public DeleteResult delete(String name, Optional<Integer> expected, ChangedBy by) {
    if (!StorableText.is(name)) {
      return DeleteResult.of(Outcome.UNKNOWN);
    }
    lockAll();
    Optional<Integer> version = CalendarStore.find(tx, name).map(CalendarVersion::version);
    if (version.isEmpty()) {
      return DeleteResult.of(Outcome.UNKNOWN);
    }
    if (expected.isPresent() && !expected.equals(version)) {
      return DeleteResult.of(Outcome.STALE);
    }
    RuleBooks.change(tx); // schedules that would name it wait
    Users users = CalendarStore.users(tx, name, Scope.ALL, NAMED_USERS);
    if (!users.isEmpty()) {
      return DeleteResult.inUse(users);
    }
    tx.update(
        "delete a calendar",
        """
        update carillon.calendar
           set deleted_at = :at, deleted_by = :by
         where name = :name
        """,
        bind -> bind.set("name", name).by(by));
    audit("calendar.deleted", name, SlotShift.NONE, "", by);
    return DeleteResult.of(Outcome.DELETED);
  }

  /* Two that each make the other part of a combination must not both see it as it was. */
  private void lockAll() {
    tx.query(
        "lock calendars against changes",
        "select pg_advisory_xact_lock(hashtextextended('carillon calendars', 0))",
        row -> true);
  }

  private record Current(int version, boolean isThere, boolean same) {}

  private Optional<Current> current(CalendarDefinition definition) {
    return tx.first(
        "compare a calendar",
        """
        select calendar.version, calendar.deleted_at is null as there,
               version.definition = :definition::jsonb as same
          from carillon.calendar
          join carillon.calendar_version as version
            on version.name = calendar.name and version.version = calendar.version
         where calendar.name = :name
        """,
        bind ->
            bind.set("name", definition.name()).set("definition", CalendarJson.stored(definition)),
        row -> new Current(row.integer("version"), row.flag("there"), row.flag("same")));
  }

  private void write(CalendarDefinition definition, int version, String reason, ChangedBy by) {
    tx.update(
        "save a calendar",
        """
        insert into carillon.calendar (name, version, created_at, created_by)
        values (:name, :version, :at, :by)
            on conflict (name) do update
           set version = excluded.version, deleted_at = null, deleted_by = null
        """,
        bind -> bind.set("name", definition.name()).set("version", version).by(by));
    tx.update(
        "save a version of a calendar",
        """
        insert into carillon.calendar_version
               (name, version, definition, combines, coverage_until, reason, created_at, created_by)
        values (:name, :version, :definition::jsonb, :combines, :coverage::date, :reason, :at, :by)
        """,
        bind ->
            bind.set("name", definition.name())
                .set("version", version)
                .set("definition", CalendarJson.stored(definition))
                .each("combines", "text", definition.combines(), part -> part)
                .set("coverage", definition.coverageUntil().map(Object::toString))
                .set("reason", reason)
                .by(by));
  }

  private SaveResult<CalendarVersion> result(String name, Change change) {
    return SaveResult.of(CalendarStore.find(tx, name).orElseThrow(), change);
  }

  private void audit(String action, String name, SlotShift shift, String reason, ChangedBy by) {
    var details = new LinkedHashMap<String, Object>();
    details.put("calendar", name);
    CalendarStore.find(tx, name).ifPresent(saved -> details.put("version", saved.version()));
    details.putAll(shift.counts());
    if (!reason.isEmpty()) {
      details.put("reason", reason);
    }
    AuditStore.insert(tx, List.of(AuditStore.Line.of(action, details)), by);
  }
}
