package dev.carillon.server.store;

import dev.carillon.model.ChangedBy;

/**
 * A target that was defined while the scheduler ran.
 *
 * @param label its label
 * @param type what kind it is, such as {@code http}
 * @param settings what its type needs to know
 * @param revision the number of its last change, which no other change of any target has
 * @param updated by whom and when it was last changed
 */
public record StoredTarget(
    String label, String type, TargetSettings settings, long revision, ChangedBy updated) {}
