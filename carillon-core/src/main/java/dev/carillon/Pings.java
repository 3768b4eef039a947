package dev.carillon;

import dev.carillon.model.ChangedBy;
import dev.carillon.model.OutOfScopeException;
import dev.carillon.model.Page;
import dev.carillon.model.Ping;
import dev.carillon.model.PingCheck;
import dev.carillon.model.Scope;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.ping.PingStore;
import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Work that runs elsewhere, such as a crontab, and pings: a check is down if it does not. */
public final class Pings {
  /** The most pings of a check that are heard in a minute. */
  public static final int MAX_PER_MINUTE = 60;

  /* Beyond those, of pings that change how a check stands: no failure is lost in a flood. */
  private static final int MORE_PER_MINUTE = 30;

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Database database;
  private final InstantSource time;
  private final KnownTargets targets;
  private final String actor;
  private final Scope scope;

  Pings(Database database, InstantSource time, KnownTargets targets, String actor, Scope scope) {
    this.database = database;
    this.time = time;
    this.targets = targets;
    this.actor = actor;
    this.scope = scope;
  }

  /** Return these pings, as used by {@code name}: the name in the audit. */
  public Pings as(String name) {
    return new Pings(database, time, targets, ScheduleLimits.actor(name), scope);
  }

  /**
   * Return those that {@code reached} reaches, by key and tags; others are as if there were none. A
   * scope of targets reaches none.
   */
  public Pings within(Scope reached) {
    return new Pings(database, time, targets, actor, reached);
  }

  Pings in(Transaction tx) {
    return new Pings(database.within(tx), time, targets, actor, scope);
  }

  /** What became of a ping. */
  public enum Answer {
    HEARD,
    UNKNOWN,
    TOO_MANY
  }

  /**
   * Store a check; one that exists is changed, and its clock starts anew if that makes a
   * difference.
   *
   * @return whether it is new
   */
  public boolean put(PingDraft draft) {
    checkScope(draft);
    draft
        .escalateTo()
        .ifPresent(
            target -> targets.require("ping '" + draft.key() + "' has the", "escalateTo", target));
    var by = new ChangedBy(time.instant(), actor);
    if (draft.expect().overdueAt(by.at()).isEmpty()) {
      throw new InvalidValueException(
          "expect/cron",
          "the cron expression names no time to come, so no success would ever be expected;"
              + " correct it");
    }
    return database.inTransaction(
        tx -> {
          var store = new PingStore(tx);
          Optional<PingCheck> before = store.lock(draft.key());
          if (before.filter(check -> !reaches(check)).isPresent()) {
            throw OutOfScopeException.takenKey();
          }
          if (before.filter(check -> says(check, draft)).isPresent()) {
            return false;
          }
          store.put(
              draft.key(),
              draft.expect(),
              draft.escalateTo(),
              draft.description(),
              draft.tags(),
              by);
          return before.isEmpty();
        });
  }

  private static boolean says(PingCheck check, PingDraft draft) {
    return new PingDraft(
            check.key(), check.expect(), check.escalateTo(), check.description(), check.tags())
        .equals(draft);
  }

  private void checkScope(PingDraft draft) {
    if (!scope.targets().isEmpty()) {
      throw new OutOfScopeException(
          "key", "your token reaches runs by their targets, and so no pings");
    }
    scope.check(draft.key(), draft.tags());
  }

  private boolean reaches(PingCheck check) {
    return scope.targets().isEmpty() && scope.admits(check.key(), "", check.tags());
  }

  /** Hear a ping. */
  public Answer ping(
      String key,
      Ping.Kind kind,
      Optional<Duration> duration,
      Optional<Integer> exitCode,
      Optional<String> output) {
    Instant now = time.instant();
    var heard = new Ping(now, kind, duration, exitCode, output);
    return database.inTransaction(
        tx -> {
          var store = new PingStore(tx);
          Optional<PingCheck> check = store.lock(key).filter(this::reaches);
          if (check.isEmpty()) {
            return Answer.UNKNOWN;
          }
          int most = MAX_PER_MINUTE + (changes(check.get(), kind) ? MORE_PER_MINUTE : 0);
          if (store.count(key, now.minus(MINUTE)) >= most) {
            return Answer.TOO_MANY;
          }
          store.insert(check.get(), heard.after(check.get().overruledBy(kind)), now);
          return Answer.HEARD;
        });
  }

  private static boolean changes(PingCheck check, Ping.Kind kind) {
    return switch (kind) {
      case START -> false;
      case SUCCESS -> check.status() == PingCheck.Status.DOWN;
      case FAIL -> !check.hasFailed();
    };
  }

  /** Return a check. */
  public Optional<PingCheck> get(String key) {
    return new PingStore(database).find(key).filter(this::reaches);
  }

  /** Return the last hundred pings of a check, the newest first. */
  public List<Ping> recent(String key) {
    return get(key).isEmpty() ? List.of() : new PingStore(database).recent(key);
  }

  /** Return a page of the checks, by key. */
  public Page<PingCheck> page(Optional<String> after, int limit) {
    return new PingStore(database).page(scope, after, limit);
  }

  /** Delete a check with its pings, and tell whether there was one. */
  public boolean delete(String key) {
    var by = new ChangedBy(time.instant(), actor);
    return database.inTransaction(
        tx -> {
          var store = new PingStore(tx);
          boolean there = store.lock(key).filter(this::reaches).isPresent();
          if (there) {
            store.delete(key, by);
          }
          return there;
        });
  }
}
