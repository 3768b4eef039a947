package dev.carillon.server.store;

import dev.carillon.model.ChangedBy;

/**
 * A target that was defined while the scheduler ran.
 *
 * @param type such as {@code http}
 * @param revision the number of its last change, unique among all targets
 */
public record StoredTarget(
    String label, String type, TargetSettings settings, long revision, ChangedBy updated) {}
