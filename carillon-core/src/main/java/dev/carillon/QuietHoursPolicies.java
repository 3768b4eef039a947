package dev.carillon;

import dev.carillon.RuleChanger.Changed;
import dev.carillon.definition.CalendarDiff;
import dev.carillon.definition.FieldChange;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.DeleteResult;
import dev.carillon.model.FreezeResult;
import dev.carillon.model.Page;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.model.QuietHoursVersion;
import dev.carillon.model.ReplanResult;
import dev.carillon.model.SaveResult;
import dev.carillon.model.Scope;
import dev.carillon.model.Users;
import dev.carillon.store.calendar.QuietHoursChanges;
import dev.carillon.store.calendar.QuietHoursStore;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.time.InvalidValueException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The quiet hours of a cluster: saving, finding and deleting them, and freezing schedules for once.
 *
 * <p>Each change is a new version with an entry in the audit. What returned is durable.
 */
public final class QuietHoursPolicies {
  private static final String DEFAULT_ACTOR = "java";

  private final RuleChanger changer;
  private final Database database;
  private final String actor;

  QuietHoursPolicies(RuleChanger changer) {
    this(changer, DEFAULT_ACTOR);
  }

  private QuietHoursPolicies(RuleChanger changer, String actor) {
    this.changer = changer;
    this.database = changer.database();
    this.actor = actor;
  }

  /** Return the same quiet hours as part of {@code tx}. */
  QuietHoursPolicies in(Transaction tx) {
    return new QuietHoursPolicies(changer.in(tx), actor);
  }

  /** Return the same quiet hours, whose changes are recorded as those of {@code actor}. */
  public QuietHoursPolicies as(String actor) {
    return new QuietHoursPolicies(changer, ScheduleLimits.actor(actor));
  }

  /**
   * Save quiet hours; the same again changes nothing.
   *
   * @param reason why, as their versions and the audit keep it; may be empty
   */
  public SaveResult<QuietHoursVersion> save(QuietHoursDefinition hours, String reason) {
    return save(hours, reason, Optional.empty()).orElseThrow();
  }

  /**
   * Save quiet hours as {@link #save(QuietHoursDefinition, String)} does, but only if they have
   * {@code version}, or do not exist if that is 0; empty if there are none although there should
   * be.
   */
  public Optional<SaveResult<QuietHoursVersion>> save(
      QuietHoursDefinition hours, String reason, int version) {
    return save(hours, reason, Optional.of(version));
  }

  private Optional<SaveResult<QuietHoursVersion>> save(
      QuietHoursDefinition hours, String reason, Optional<Integer> version) {
    refuseReserved(hours.name());
    ChangedBy by = changedBy();
    String why = reason.isEmpty() ? "" : ReasonText.of("saving quiet hours", reason);
    Changed<Optional<SaveResult<QuietHoursVersion>>> saved =
        changer.change(
            (tx, effect) -> new QuietHoursChanges(tx, effect).save(hours, version, why, by));
    ReplanResult replan = changer.replan(saved.asked());
    return saved.result().map(result -> result.replanned(replan));
  }

  private static void refuseReserved(String name) {
    if (Freezes.isReserved(name)) {
      throw new InvalidValueException(
          "name",
          "'%s' is the name of what freezes schedules; freeze them, or choose another name"
              .formatted(name));
    }
  }

  /** Return what {@link #save} would do; stores nothing. */
  public SaveResult<QuietHoursVersion> dryRun(QuietHoursDefinition hours) {
    refuseReserved(hours.name());
    ChangedBy by = changedBy();
    return changer
        .rehearse(
            (tx, effect) -> new QuietHoursChanges(tx, effect).save(hours, Optional.empty(), "", by))
        .orElseThrow();
  }

  /** Tell in which fields two quiet hours differ. */
  public static List<FieldChange> diff(QuietHoursDefinition before, QuietHoursDefinition after) {
    return CalendarDiff.between(before, after);
  }

  /** Find the current version of quiet hours. */
  public Optional<QuietHoursVersion> get(String name) {
    return QuietHoursStore.find(database, name);
  }

  /**
   * Return a page of quiet hours by name, of at most four MiB of JSON.
   *
   * @param after what came with the page before; empty for the first
   */
  public Page<QuietHoursVersion> page(Optional<String> after, int limit) {
    return QuietHoursStore.page(database, after, limit);
  }

  /** Return the schedules that name quiet hours, of those that {@code scope} reaches. */
  public Users users(String name, Scope scope, int most) {
    return QuietHoursStore.users(
        database, name, scope, ScheduleLimits.count(most, Calendars.MAX_USERS));
  }

  /** Delete quiet hours that no schedule names. */
  public DeleteResult delete(String name) {
    return delete(name, Optional.empty());
  }

  /** Delete quiet hours like {@link #delete(String)}, but only as {@code version}. */
  public DeleteResult delete(String name, int version) {
    return delete(name, Optional.of(version));
  }

  private DeleteResult delete(String name, Optional<Integer> version) {
    ChangedBy by = changedBy();
    Changed<DeleteResult> deleted =
        changer.change((tx, effect) -> new QuietHoursChanges(tx, effect).delete(name, version, by));
    return deleted.result().replanned(changer.replan(deleted.asked()));
  }

  /** Return what {@link #delete(String)} would do; deletes nothing. */
  public DeleteResult deleteDryRun(String name) {
    ChangedBy by = changedBy();
    return changer.rehearse(
        (tx, effect) -> new QuietHoursChanges(tx, effect).delete(name, Optional.empty(), by));
  }

  /**
   * Let nothing start until an instant, for a reason that is shown wherever something is missing.
   * The same again changes nothing.
   */
  public FreezeResult freeze(FreezeDraft draft) {
    ReasonText.of("freezing", draft.reason());
    return frozen(freezes -> freezes.freeze(draft));
  }

  /** Return what {@link #freeze} would do; stores nothing. */
  public FreezeResult freezeDryRun(FreezeDraft draft) {
    ReasonText.of("freezing", draft.reason());
    return rehearsed(freezes -> freezes.freeze(draft));
  }

  /**
   * End the freezes of {@code tags} now, or that of everything if there are none; those to come are
   * removed.
   */
  public FreezeResult thaw(Collection<String> tags) {
    return frozen(freezes -> freezes.thaw(tags));
  }

  /** Return what {@link #thaw} would do; stores nothing. */
  public FreezeResult thawDryRun(Collection<String> tags) {
    return rehearsed(freezes -> freezes.thaw(tags));
  }

  private FreezeResult frozen(Function<Freezes, FreezeResult> work) {
    ChangedBy by = changedBy();
    Changed<FreezeResult> done =
        changer.change((tx, effect) -> work.apply(new Freezes(tx, effect, by)));
    return done.result().replanned(changer.replan(done.asked()));
  }

  private FreezeResult rehearsed(Function<Freezes, FreezeResult> work) {
    ChangedBy by = changedBy();
    return changer.rehearse((tx, effect) -> work.apply(new Freezes(tx, effect, by)));
  }

  /** Return the quiet hours with freezes that are not over: of everything and of tags. */
  public List<QuietHoursVersion> frozen() {
    return Freezes.frozen(QuietHoursStore.all(database), changer.now());
  }

  private ChangedBy changedBy() {
    return new ChangedBy(changer.now(), actor);
  }
}
