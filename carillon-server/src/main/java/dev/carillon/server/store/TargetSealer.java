package dev.carillon.server.store;

import dev.carillon.server.secret.CipherKey;
import dev.carillon.server.secret.KeyRing;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Transaction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Seals the settings of all targets with the current key, those that another key sealed and those
 * that none did. Any number may do so at once, beside servers at work: what a target does, and its
 * revision, stay the same.
 */
public final class TargetSealer {
  private static final int BATCH = 100;

  private final Database database;
  private final KeyRing keys;

  public TargetSealer(Database database, KeyRing keys) {
    this.database = database;
    this.keys = keys;
  }

  /**
   * What was done.
   *
   * @param sealed how many targets the current key seals by this
   * @param unreadable how many stay as they are, sealed with a key that is not known here
   */
  public record Result(long sealed, long unreadable) {}

  private record Item(String label, SealedSettings settings) {}

  private record Batch(Optional<String> last, long sealed, long unreadable) {}

  /** Seal all targets that the current key does not seal yet; nothing without a key. */
  public Result sealAll(LongConsumer progress) {
    return seal(true, progress);
  }

  /** Seal all targets that no key seals; nothing without a key. Return how many. */
  public long sealUnsealed() {
    return seal(false, count -> {}).sealed;
  }

  private Result seal(boolean again, LongConsumer progress) {
    Optional<CipherKey> key = keys.current();
    if (key.isEmpty()) {
      return new Result(0, 0);
    }
    long done = 0;
    long unreadable = 0;
    Optional<String> after = Optional.of("");
    while (after.isPresent()) {
      String last = after.get();
      Batch batch = database.inTransaction(tx -> seal(tx, key.get(), last, again));
      done += batch.sealed;
      unreadable += batch.unreadable;
      after = batch.last;
      progress.accept(done);
    }
    return new Result(done, unreadable);
  }

  /** Return how many targets each key seals; those that none does under an empty id. */
  public Map<String, Long> counts() {
    return database.map(
        "count targets by key",
        """
        select coalesce(key_id, '') as key_id, count(*) as targets
          from carillon.target
         group by key_id
         order by key_id nulls first
        """,
        bind -> {},
        row -> row.text("key_id"),
        row -> row.number("targets"));
  }

  /** Return whether there are targets with secrets that no key seals. */
  public boolean anyUnsealed() {
    return !database
        .query(
            "look for settings in the clear",
            "select settings from carillon.target where key_id is null",
            row -> SealedSettings.isSecret(TargetSettings.stored(row.text("settings"))))
        .stream()
        .filter(secret -> secret)
        .toList()
        .isEmpty();
  }

  private Batch seal(Transaction tx, CipherKey key, String after, boolean again) {
    List<Item> items = next(tx, key, after, again);
    long done = 0;
    long unreadable = 0;
    for (Item item : items) {
      Optional<TargetSettings> open = item.settings.open(item.label, keys);
      if (open.isEmpty()) {
        unreadable++;
      } else {
        SealedSettings fresh = SealedSettings.of(item.label, open.get(), keys);
        done += fresh.keyId().isPresent() ? write(tx, item.label, fresh) : 0;
      }
    }
    return new Batch(
        items.size() < BATCH ? Optional.empty() : Optional.of(items.get(BATCH - 1).label),
        done,
        unreadable);
  }

  /* A target that another seals or changes meanwhile is waited for, and then passed over if it no
   * longer needs it. */
  private static List<Item> next(Transaction tx, CipherKey key, String after, boolean again) {
    return tx.query(
        "lock targets to seal",
        """
        select label, settings, sealed, key_id
          from carillon.target
         where label > :after
           and key_id is distinct from :key
           and (key_id is null or :again)
         order by label
         limit :limit
           for update
        """,
        bind ->
            bind.set("after", after).set("key", key.id()).set("again", again).set("limit", BATCH),
        row -> new Item(row.text("label"), settings(row)));
  }

  static SealedSettings settings(Row row) {
    return new SealedSettings(
        row.text("settings"), row.optionalBytes("sealed"), row.optionalText("key_id"));
  }

  private static int write(Transaction tx, String label, SealedSettings settings) {
    return tx.update(
        "seal a target",
        """
        update carillon.target
           set settings = :settings::jsonb, sealed = :sealed, key_id = :key
         where label = :label
        """,
        bind ->
            bind.set("label", label)
                .set("settings", settings.plain())
                .set("sealed", settings.sealed())
                .set("key", settings.keyId()));
  }
}
