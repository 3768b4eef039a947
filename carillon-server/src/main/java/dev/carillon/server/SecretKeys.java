package dev.carillon.server;

import dev.carillon.server.secret.KeyFile;
import dev.carillon.server.secret.KeyRing;
import dev.carillon.server.store.SecretKeyStore;
import dev.carillon.server.store.TargetSealer;
import dev.carillon.store.jdbc.Database;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys that the secrets of targets in a database are encrypted with.
 *
 * @param ring the keys that are known here
 * @param connections the database
 */
public record SecretKeys(KeyRing ring, DataSource connections) {
  private static final Logger LOG = LoggerFactory.getLogger(SecretKeys.class);

  /**
   * What a rotation did.
   *
   * @param sealed how many targets are encrypted with the current key by this
   * @param unreadable how many are encrypted with a key that is not known here
   */
  public record Rotation(long sealed, long unreadable) {}

  /**
   * Return the keys that {@code settings} name; of an embedded database, else those beside its
   * data, where one is made at first. With a database of the user's there may be none.
   *
   * @throws StartException if the file cannot be used
   */
  public static KeyRing of(ServerSettings settings) {
    return settings
        .cipherKeys()
        .orElseGet(() -> settings.database().isPresent() ? KeyRing.EMPTY : beside(settings.data()));
  }

  private static KeyRing beside(Path data) {
    KeyFile file = KeyFile.in(data);
    try {
      KeyRing ring = file.readOrCreate();
      file.exposure().ifPresent(LOG::warn);
      return ring;
    } catch (IOException e) {
      throw new StartException(
          "the key of secrets cannot be kept in %s: %s"
              .formatted(file.path(), OneLineMessage.of(e)),
          e);
    } catch (IllegalArgumentException e) {
      throw new StartException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Make sure that other servers use the same keys, and encrypt what is not yet encrypted.
   *
   * @throws StartException if another server has another key
   */
  void prepare() {
    var database = new Database(connections);
    refuse(new SecretKeyStore(database).admit(ring));
    var sealer = new TargetSealer(database, ring);
    if (ring.current().isEmpty()) {
      if (sealer.anyUnsealed()) {
        LOG.warn(
            "the secrets of targets are stored in the clear; set {} or {} on every server to have them encrypted",
            Setting.SECRET_KEY_FILE.spelling(),
            Setting.SECRET_KEY.variable());
      }
      return;
    }
    long sealed = sealer.sealUnsealed();
    if (sealed > 0) {
      LOG.info("encrypted the settings of {} targets that were stored in the clear", sealed);
    }
  }

  private static void refuse(Optional<String> problem) {
    problem.ifPresent(
        why -> {
          throw new StartException(why);
        });
  }

  /**
   * Encrypt everything with the current key; safe to repeat, and beside servers at work.
   *
   * @param progress receives how many targets are done
   * @throws StartException if there is no key, other servers have another one of its id, or servers
   *     are at work that do not have it
   */
  public Rotation rotate(LongConsumer progress) {
    if (ring.current().isEmpty()) {
      throw new StartException(
          "there is no key; name one with %s or %s"
              .formatted(Setting.SECRET_KEY_FILE.flag(), Setting.SECRET_KEY.variable()));
    }
    var database = new Database(connections);
    refuse(new SecretKeyStore(database).admitRotation(ring));
    TargetSealer.Result result = new TargetSealer(database, ring).sealAll(progress);
    return new Rotation(result.sealed(), result.unreadable());
  }

  /** Return how many targets each key encrypts; those that none does under an empty id. */
  public Map<String, Long> counts() {
    return new TargetSealer(new Database(connections), ring).counts();
  }
}
