package dev.carillon;

import dev.carillon.model.CalendarVersion;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.RuleChange;
import dev.carillon.model.RuleInUseException;
import dev.carillon.model.RuleUsage;
import dev.carillon.model.RuleUse;
import dev.carillon.model.SlotShift;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.calendar.CalendarStore;
import dev.carillon.store.calendar.RuleBook;
import dev.carillon.store.calendar.RuleBooks;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.time.business.BusinessCalendar;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Business calendars: the only way to read and change them. */
public final class Calendars {
  private final RuleChanger changer;
  private final String actor;

  Calendars(RuleChanger changer, String actor) {
    this.changer = changer;
    this.actor = actor;
  }

  /** Return the same calendars, whose changes are recorded as those of {@code actor}. */
  public Calendars as(String actor) {
    return new Calendars(changer, ScheduleLimits.actor(actor));
  }

  /** Return a calendar as it is now. */
  public Optional<CalendarVersion> get(String name) {
    return CalendarStore.find(changer.database(), name);
  }

  /** Return all calendars as they are now, by name. */
  public List<CalendarVersion> list() {
    return CalendarStore.list(changer.database());
  }

  /** Return what a calendar ever said, newest first. */
  public List<CalendarVersion> versions(String name) {
    return CalendarStore.versions(changer.database(), name);
  }

  /** Return the schedules that follow a calendar, without retired ones. */
  public RuleUsage users(String name) {
    return RuleChanger.usage(changer.database(), RuleUse.ofCalendar(name));
  }

  /**
   * Store a calendar, or make a new version of it if it says something else, and replan the
   * schedules that follow it: some hundred per transaction, by this call and by all nodes.
   */
  public RuleChange save(BusinessCalendar calendar) {
    ChangedBy by = changer.stamp(actor);
    Saved saved = changer.database().inTransaction(tx -> save(tx, calendar, by));
    return saved.change.changed() ? changer.replanned(saved.change, saved.asked) : saved.change;
  }

  /** Return what {@link #save} would do; stores nothing. */
  public RuleChange dryRun(BusinessCalendar calendar) {
    ChangedBy by = changer.stamp(actor);
    return changer.database().rehearse(tx -> save(tx, calendar, by)).change;
  }

  private record Saved(RuleChange change, List<Long> asked) {}

  private static Saved save(Transaction tx, BusinessCalendar calendar, ChangedBy by) {
    RuleBook before = RuleBooks.change(tx);
    Optional<CalendarVersion> current = CalendarStore.find(tx, calendar.name());
    String name = calendar.name();
    if (current.filter(one -> one.calendar().equals(calendar)).isPresent()) {
      return new Saved(
          new RuleChange(name, current.get().version(), false, SlotShift.NONE, 0), List.of());
    }
    List<RuleUse> uses = List.of(RuleUse.ofCalendar(name));
    SlotShift shift =
        current.isEmpty()
            ? SlotShift.NONE
            : RuleChanger.shift(tx, uses, before, before.with(calendar), by.at());
    int version = CalendarStore.save(tx, calendar, by);
    AuditStore.insert(
        tx,
        List.of(
            AuditStore.Line.of(
                current.isEmpty() ? "calendar.created" : "calendar.changed",
                Map.of(
                    "calendar", name,
                    "version", version,
                    "schedules", shift.schedules(),
                    "moved", shift.moved(),
                    "lost", shift.lost(),
                    "gained", shift.gained()))),
        by);
    List<Long> asked = current.isEmpty() ? List.of() : RuleChanger.ask(tx, uses, by.at());
    return new Saved(new RuleChange(name, version, true, shift, 0), asked);
  }

  /**
   * Delete a calendar; return whether there was one.
   *
   * @throws RuleInUseException if schedules follow it
   */
  public boolean delete(String name) {
    ChangedBy by = changer.stamp(actor);
    return changer
        .database()
        .inTransaction(
            tx -> {
              RuleBooks.change(tx);
              RuleUsage usage = RuleChanger.usage(tx, RuleUse.ofCalendar(name));
              if (usage.count() > 0) {
                throw new RuleInUseException("calendar '" + name + "'", usage);
              }
              boolean deleted = CalendarStore.delete(tx, name, by);
              if (deleted) {
                AuditStore.insert(
                    tx,
                    List.of(AuditStore.Line.of("calendar.deleted", Map.of("calendar", name))),
                    by);
              }
              return deleted;
            });
  }
}
