package dev.carillon.plan.explain;

import dev.carillon.model.ChangedBy;
import dev.carillon.time.Due;

/**
 * A change of a calendar or of quiet hours.
 *
 * @param policy which of the two
 * @param name what it is called
 * @param version its number, from one
 * @param changed by whom and when
 * @param deleted whether it was deleted, rather than saved
 * @param reason why, in words; may be empty
 */
public record RuleChange(
    Due.Policy policy,
    String name,
    int version,
    ChangedBy changed,
    boolean deleted,
    String reason) {}
