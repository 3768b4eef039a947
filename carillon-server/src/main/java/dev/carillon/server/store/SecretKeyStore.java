package dev.carillon.server.store;

import dev.carillon.server.secret.CipherKey;
import dev.carillon.server.secret.KeyRing;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.Transaction;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The ids of the keys that servers know, each with a text that the key has sealed: by that a server
 * sees whether its key of the same id is the same key.
 */
public final class SecretKeyStore {
  private static final String SAMPLE = "carillon";

  private final Database database;

  public SecretKeyStore(Database database) {
    this.database = database;
  }

  /**
   * Compare {@code keys} of a server with those of the database, and add those that are new there.
   *
   * @return why {@code keys} must not be used; empty if they may
   */
  public Optional<String> admit(KeyRing keys) {
    Map<String, byte[]> known = known(database);
    Optional<String> another = another(keys, known);
    boolean fresh = keys.keys().stream().anyMatch(key -> !known.containsKey(key.id()));
    return another.isPresent() || !fresh ? another : database.inTransaction(tx -> add(tx, keys));
  }

  private static Optional<String> add(Transaction tx, KeyRing keys) {
    lock(tx);
    Map<String, byte[]> known = known(tx);
    Optional<String> another = another(keys, known);
    if (another.isPresent()) {
      return another;
    }
    boolean foreign = known.keySet().stream().noneMatch(id -> keys.find(id).isPresent());
    if (foreign && !known.isEmpty() && anyNodeLives(tx)) {
      return Optional.of(foreign(keys.current().orElseThrow(), known.keySet()));
    }
    keys.keys().forEach(key -> insert(tx, key));
    return Optional.empty();
  }

  /**
   * Compare {@code keys}, the first of which is to seal everything, with those of the database.
   * While servers work, one of them must have started with it: they could not read what it seals.
   *
   * @return why {@code keys} must not be used; empty if they may
   */
  public Optional<String> admitRotation(KeyRing keys) {
    CipherKey key = keys.current().orElseThrow();
    Map<String, byte[]> known = known(database);
    boolean untold = !known.containsKey(key.id()) && another(keys, known).isEmpty();
    return untold && database.inTransaction(SecretKeyStore::anyNodeLives)
        ? Optional.of(untold(key))
        : admit(keys);
  }

  private static Optional<String> another(KeyRing keys, Map<String, byte[]> known) {
    return keys.keys().stream()
        .filter(key -> known.containsKey(key.id()))
        .filter(key -> !isSame(key, known.getOrDefault(key.id(), new byte[0])))
        .map(SecretKeyStore::another)
        .findFirst();
  }

  private static boolean isSame(CipherKey key, byte[] sealed) {
    return key.open(sealed, place(key)).filter(SAMPLE::equals).isPresent();
  }

  private static String another(CipherKey key) {
    return "key %s is another one than the servers of this database know by that id; give every server the same keys, or a new key a new id"
        .formatted(key.id());
  }

  private static String foreign(CipherKey key, Set<String> lacking) {
    return "other servers of this database are at work with the secret key %s, which this one does not have, and they do not have %s; give every server the same keys"
        .formatted(String.join(", ", lacking), key.id());
  }

  private static String untold(CipherKey key) {
    return "servers of this database are at work, and none has started with key %s yet: they could not read what it encrypts; add it to the keys of every server, start them again, and rotate then"
        .formatted(key.id());
  }

  private static String place(CipherKey key) {
    return "sample of " + key.id();
  }

  /* Of two servers that add a key at once, the second sees the first. */
  private static void lock(Transaction tx) {
    tx.script("lock the secret keys", "lock table carillon.secret_key in share row exclusive mode");
  }

  private static Map<String, byte[]> known(Statements statements) {
    return statements.map(
        "read the secret keys",
        "select id, sealed from carillon.secret_key order by id",
        bind -> {},
        row -> row.text("id"),
        row -> row.optionalBytes("sealed").orElseThrow());
  }

  private static boolean anyNodeLives(Transaction tx) {
    return tx.one(
        "look for living nodes",
        """
        select exists (select 1
                         from carillon.node
                        where lease_until > clock_timestamp()) as any
        """,
        row -> row.flag("any"));
  }

  private static void insert(Transaction tx, CipherKey key) {
    tx.update(
        "add a secret key",
        """
        insert into carillon.secret_key (id, sealed, created_at)
        values (:id, :sealed, clock_timestamp())
            on conflict (id) do nothing
        """,
        bind -> bind.set("id", key.id()).set("sealed", key.seal(SAMPLE, place(key))));
  }
}
