package dev.carillon;

import dev.carillon.definition.FieldLimits;
import dev.carillon.policy.PingExpectation;
import dev.carillon.time.InvalidValueException;
import java.util.List;
import java.util.Optional;

/**
 * A check on work that runs elsewhere, which is not stored yet.
 *
 * @param expect when it is expected to succeed
 * @param escalateTo the target that runs once when it is down; empty for none
 */
public record PingDraft(
    String key,
    PingExpectation expect,
    Optional<String> escalateTo,
    String description,
    List<String> tags) {
  public PingDraft {
    FieldLimits.name("the key of a ping", key);
    if (key.contains("/")) {
      throw new InvalidValueException("key", "the key of a ping has no slash; was '" + key + "'");
    }
    escalateTo.ifPresent(target -> FieldLimits.name("the target to escalate to", target));
    FieldLimits.description(description);
    tags = FieldLimits.tags(tags);
  }

  /** Expect pings of {@code key} as {@code expect} says. */
  public static PingDraft of(String key, PingExpectation expect) {
    return new PingDraft(key, expect, Optional.empty(), "", List.of());
  }

  /** Return the same, running {@code target} once each time it is down. */
  public PingDraft escalateTo(String target) {
    return new PingDraft(key, expect, Optional.of(target), description, tags);
  }
}
