package dev.carillon.server.store;

import dev.carillon.model.ChangedBy;
import dev.carillon.model.StorableText;
import dev.carillon.server.secret.KeyRing;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.Transaction;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Targets that are defined while the scheduler runs, their settings sealed. Each change is a
 * transaction of its own.
 */
public final class TargetStore {
  private final Database database;
  private final KeyRing keys;

  /** Keep targets in {@code database}, and seal their settings with {@code keys}. */
  public TargetStore(Database database, KeyRing keys) {
    this.database = database;
    this.keys = keys;
  }

  /** The result of removing a target. */
  public enum Removal {
    /** It was removed. */
    REMOVED,
    /** There is none. */
    UNKNOWN,
    /** It was not removed: it has another revision. */
    STALE,
    /** It was not removed: schedules or live runs use it. */
    IN_USE
  }

  /** Create or replace a target; the same settings change nothing. */
  public StoredTarget put(String label, String type, TargetSettings settings, ChangedBy by) {
    return put(label, type, settings, by, Optional.empty()).orElseThrow();
  }

  /** Create or replace a target if it has this revision, which is zero for a new one. */
  public Optional<StoredTarget> put(
      String label, String type, TargetSettings settings, ChangedBy by, long revision) {
    return put(label, type, settings, by, Optional.of(revision));
  }

  private Optional<StoredTarget> put(
      String label, String type, TargetSettings settings, ChangedBy by, Optional<Long> expected) {
    if (!StorableText.is(label) || !StorableText.is(type)) {
      throw new IllegalArgumentException("a label and a type must not hold \\u0000; remove it");
    }
    check(settings);
    return database.inTransaction(
        tx -> {
          long locked = revision(tx, label);
          if (expected.filter(revision -> revision != locked).isPresent()) {
            return Optional.<StoredTarget>empty();
          }
          Optional<StoredTarget> before = find(tx, label);
          if (before.filter(target -> isSame(target, type, settings)).isPresent()) {
            return before;
          }
          write(tx, label, type, settings, by);
          audit(tx, "target.put", Map.of("target", label, "type", type), by);
          return find(tx, label);
        });
  }

  /**
   * Make sure that {@code settings} can be stored.
   *
   * @throws SecretKeyMissingException if they hold a secret, and there is no key to seal it with
   */
  public void check(TargetSettings settings) {
    if (keys.current().isEmpty() && SealedSettings.isSecret(settings)) {
      throw new SecretKeyMissingException();
    }
  }

  private static boolean isSame(StoredTarget target, String type, TargetSettings settings) {
    return !target.unreadable() && target.type().equals(type) && target.settings().equals(settings);
  }

  /* Locks the target against other changes of it; zero if there is none. */
  private long revision(Transaction tx, String label) {
    return tx.first(
            "lock a target",
            """
            select revision
              from carillon.target  -- against other changes of it, which wait
             where label = :label
               for update
            """,
            bind -> bind.set("label", label),
            row -> row.number("revision"))
        .orElse(0L);
  }

  private void write(
      Transaction tx, String label, String type, TargetSettings settings, ChangedBy by) {
    SealedSettings sealed = SealedSettings.of(label, settings, keys);
    tx.update(
        "put a target",
        """
        insert into carillon.target (label, type, settings, sealed, key_id, revision, updated_at, updated_by)
        values (:label, :type, :settings::jsonb, :sealed, :key, nextval('carillon.target_revision'), :at, :by)
            on conflict (label) do update
           set type = excluded.type, settings = excluded.settings, sealed = excluded.sealed,
               key_id = excluded.key_id, revision = excluded.revision,
               updated_at = excluded.updated_at, updated_by = excluded.updated_by
        """,
        bind ->
            bind.set("label", label)
                .set("type", type)
                .set("settings", sealed.plain())
                .set("sealed", sealed.sealed())
                .set("key", sealed.keyId())
                .by(by));
  }

  /** Remove a target that is not in use. */
  public Removal remove(String label, ChangedBy by) {
    return remove(label, by, Optional.empty(), false);
  }

  /** Remove a target that is not in use, if it has this revision. */
  public Removal remove(String label, ChangedBy by, long revision) {
    return remove(label, by, Optional.of(revision), false);
  }

  /** Remove a target even if it is in use, because another one replaces it. */
  public Removal removeInUse(String label, ChangedBy by, Optional<Long> revision) {
    return remove(label, by, revision, true);
  }

  private Removal remove(String label, ChangedBy by, Optional<Long> expected, boolean evenInUse) {
    if (!StorableText.is(label)) {
      return Removal.UNKNOWN;
    }
    return database.inTransaction(
        tx -> {
          long revision = revision(tx, label);
          if (revision == 0) {
            return Removal.UNKNOWN;
          }
          if (expected.filter(wanted -> wanted != revision).isPresent()) {
            return Removal.STALE;
          }
          if (!evenInUse && (inUse(tx, label) > 0 || hasRuns(tx, label))) {
            return Removal.IN_USE;
          }
          tx.update(
              "remove a target",
              "delete from carillon.target where label = :label",
              bind -> bind.set("label", label));
          audit(tx, "target.removed", Map.of("target", label), by);
          return Removal.REMOVED;
        });
  }

  /** Count the schedules that run this target or escalate to it, and are not retired. */
  public long inUse(String label) {
    return inUse(database, label);
  }

  private static long inUse(Statements statements, String label) {
    if (!StorableText.is(label)) {
      return 0;
    }
    return statements.one(
        "count schedules of a target",
        """
        select count(*) as schedules
          from carillon.schedule_version
         where (target = :label
                or definition -> 'deadline' ->> 'escalateTo' = :label
                or definition -> 'expect' ->> 'escalateTo' = :label)
           and retired_at is null
        """,
        bind -> bind.set("label", label),
        row -> row.number("schedules"));
  }

  /** Count the pings that escalate to this target. */
  public long pings(String label) {
    return !StorableText.is(label)
        ? 0
        : database.one(
            "count pings of a target",
            "select count(*) as pings from carillon.ping_check where escalate_to = :label",
            bind -> bind.set("label", label),
            row -> row.number("pings"));
  }

  /** Tell whether there are live runs with this target, or deadlines that may make one. */
  public boolean hasRuns(String label) {
    return hasRuns(database, label);
  }

  private static boolean hasRuns(Statements statements, String label) {
    return StorableText.is(label)
        && statements.one(
            "look for runs of a target",
            """
            select exists (select 1
                             from carillon.run
                            where target = :label
                              and wake_at is not null)
                or exists (select 1 from carillon.deadline where escalate_to = :label)
                or exists (select 1 from carillon.ping_check where escalate_to = :label) as any
            """,
            bind -> bind.set("label", label),
            row -> row.flag("any"));
  }

  /** Find a target by its label. */
  public Optional<StoredTarget> find(String label) {
    return find(database, label);
  }

  private Optional<StoredTarget> find(Statements statements, String label) {
    if (!StorableText.is(label)) {
      return Optional.empty();
    }
    return statements.first(
        "find a target",
        """
        select label, type, settings, sealed, key_id, revision, updated_at, updated_by
          from carillon.target
         where label = :label
        """,
        bind -> bind.set("label", label),
        this::toTarget);
  }

  /** Return all targets, by label. */
  public List<StoredTarget> list() {
    return database.query(
        "list targets",
        """
        select label, type, settings, sealed, key_id, revision, updated_at, updated_by
          from carillon.target
         order by label
        """,
        this::toTarget);
  }

  private StoredTarget toTarget(Row row) {
    SealedSettings sealed = TargetSealer.settings(row);
    Optional<TargetSettings> open = sealed.open(row.text("label"), keys);
    return new StoredTarget(
        row.text("label"),
        row.text("type"),
        open.orElseGet(() -> TargetSettings.stored(sealed.plain())),
        row.number("revision"),
        row.changedBy("updated"),
        sealed.keyId(),
        open.isEmpty());
  }

  private static void audit(Transaction tx, String action, Map<String, ?> details, ChangedBy by) {
    AuditStore.insert(tx, List.of(AuditStore.Line.of(action, details)), by);
  }
}
