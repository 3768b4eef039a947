package dev.carillon;

import dev.carillon.model.ChangedBy;
import dev.carillon.model.QuietPolicy;
import dev.carillon.model.QuietPolicyVersion;
import dev.carillon.model.RuleChange;
import dev.carillon.model.RuleInUseException;
import dev.carillon.model.RuleUsage;
import dev.carillon.model.RuleUse;
import dev.carillon.model.SlotShift;
import dev.carillon.policy.QuietScope;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.calendar.QuietHoursStore;
import dev.carillon.store.calendar.RuleBook;
import dev.carillon.store.calendar.RuleBooks;
import dev.carillon.store.jdbc.Transaction;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Quiet hours and freezes: the only way to read and change them. */
public final class QuietHoursPolicies {
  private final RuleChanger changer;
  private final String actor;

  QuietHoursPolicies(RuleChanger changer, String actor) {
    this.changer = changer;
    this.actor = actor;
  }

  /** Return the same quiet hours, whose changes are recorded as those of {@code actor}. */
  public QuietHoursPolicies as(String actor) {
    return new QuietHoursPolicies(changer, ScheduleLimits.actor(actor));
  }

  /** Return quiet hours as they are now. */
  public Optional<QuietPolicyVersion> get(String name) {
    return QuietHoursStore.find(changer.database(), name);
  }

  /** Return all quiet hours as they are now, by name. */
  public List<QuietPolicyVersion> list() {
    return QuietHoursStore.list(changer.database());
  }

  /** Return what quiet hours ever said, newest first. */
  public List<QuietPolicyVersion> versions(String name) {
    return QuietHoursStore.versions(changer.database(), name);
  }

  /** Return the schedules that name these quiet hours, without retired ones. */
  public RuleUsage users(String name) {
    return RuleChanger.usage(changer.database(), RuleUse.ofQuietHours(name));
  }

  /**
   * Store quiet hours, or make a new version of them if they say something else, and replan the
   * schedules that keep them: some hundred per transaction, by this call and by all nodes.
   */
  public RuleChange save(QuietPolicy policy) {
    ChangedBy by = changer.stamp(actor);
    Saved saved = changer.database().inTransaction(tx -> save(tx, policy, by));
    return saved.change.changed() ? changer.replanned(saved.change, saved.asked) : saved.change;
  }

  /** Return what {@link #save} would do; stores nothing. */
  public RuleChange dryRun(QuietPolicy policy) {
    ChangedBy by = changer.stamp(actor);
    return changer.database().rehearse(tx -> save(tx, policy, by)).change;
  }

  private record Saved(RuleChange change, List<Long> asked) {}

  private static Saved save(Transaction tx, QuietPolicy policy, ChangedBy by) {
    RuleBook before = RuleBooks.change(tx);
    String name = policy.hours().name();
    Optional<QuietPolicyVersion> current = QuietHoursStore.find(tx, name);
    if (current.filter(one -> one.policy().equals(policy)).isPresent()) {
      return new Saved(
          new RuleChange(name, current.get().version(), false, SlotShift.NONE, 0), List.of());
    }
    Set<RuleUse> uses = new LinkedHashSet<>(uses(policy));
    current.ifPresent(one -> uses.addAll(uses(one.policy())));
    SlotShift shift = RuleChanger.shift(tx, uses, before, before.with(policy), by.at());
    int version = QuietHoursStore.save(tx, policy, by);
    audit(tx, current.isEmpty() ? "quiet_hours.created" : "quiet_hours.changed", name, shift, by);
    return new Saved(
        new RuleChange(name, version, true, shift, 0), RuleChanger.ask(tx, uses, by.at()));
  }

  private static void audit(
      Transaction tx, String action, String name, SlotShift shift, ChangedBy by) {
    AuditStore.insert(
        tx,
        List.of(
            AuditStore.Line.of(
                action,
                Map.of(
                    "quietHours", name,
                    "schedules", shift.schedules(),
                    "moved", shift.moved(),
                    "lost", shift.lost(),
                    "gained", shift.gained()))),
        by);
  }

  private static List<RuleUse> uses(QuietPolicy policy) {
    var uses = new ArrayList<RuleUse>();
    if (policy.scope().kind() == QuietScope.Kind.EVERYTHING) {
      return List.of(RuleUse.ALL);
    }
    uses.add(RuleUse.ofQuietHours(policy.hours().name()));
    policy.scope().tag().ifPresent(tag -> uses.add(RuleUse.ofTag(tag)));
    return uses;
  }

  /**
   * Delete quiet hours and replan the schedules that kept them; empty if there are none.
   *
   * @throws RuleInUseException if schedules name them
   */
  public Optional<RuleChange> delete(String name) {
    ChangedBy by = changer.stamp(actor);
    return changer
        .database()
        .inTransaction(tx -> delete(tx, name, by))
        .map(saved -> changer.replanned(saved.change, saved.asked));
  }

  private static Optional<Saved> delete(Transaction tx, String name, ChangedBy by) {
    RuleBook before = RuleBooks.change(tx);
    Optional<QuietPolicyVersion> current = QuietHoursStore.find(tx, name);
    if (current.isEmpty()) {
      return Optional.empty();
    }
    RuleUsage usage = RuleChanger.usage(tx, RuleUse.ofQuietHours(name));
    if (usage.count() > 0) {
      throw new RuleInUseException("quiet hours '" + name + "'", usage);
    }
    List<RuleUse> uses = uses(current.get().policy());
    SlotShift shift = RuleChanger.shift(tx, uses, before, before.withoutQuietHours(name), by.at());
    QuietHoursStore.delete(tx, name, by);
    audit(tx, "quiet_hours.deleted", name, shift, by);
    return Optional.of(
        new Saved(
            new RuleChange(name, current.get().version() + 1, true, shift, 0),
            RuleChanger.ask(tx, uses, by.at())));
  }
}
