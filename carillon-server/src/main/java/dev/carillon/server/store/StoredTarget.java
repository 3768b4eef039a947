package dev.carillon.server.store;

import dev.carillon.model.ChangedBy;
import java.util.Optional;

/**
 * A target that was defined while the scheduler ran.
 *
 * @param type such as {@code http}
 * @param settings those that are not sealed, if {@code unreadable}
 * @param revision the number of its last change, unique among all targets
 * @param keyId the key that sealed the settings; absent if they are not sealed
 * @param unreadable whether they are sealed with a key that is not known here
 */
public record StoredTarget(
    String label,
    String type,
    TargetSettings settings,
    long revision,
    ChangedBy updated,
    Optional<String> keyId,
    boolean unreadable) {
  /** Describe a target as it would be stored. */
  public StoredTarget(
      String label, String type, TargetSettings settings, long revision, ChangedBy updated) {
    this(label, type, settings, revision, updated, Optional.empty(), false);
  }
}
