package dev.carillon;

import dev.carillon.definition.FieldLimits;
import dev.carillon.time.business.QuietAction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A freeze to be made: until then nothing starts.
 *
 * @param from when it begins; empty for now
 * @param until when it ends
 * @param reason why
 * @param tags of which schedules; none for all of them
 * @param action what becomes of runs in it; empty for one run at the end
 */
public record FreezeDraft(
    Optional<Instant> from,
    Instant until,
    String reason,
    List<String> tags,
    Optional<QuietAction> action) {
  public FreezeDraft {
    tags = FieldLimits.tags(tags);
  }

  /** Return a freeze of everything, which begins now. */
  public static FreezeDraft until(Instant until, String reason) {
    return new FreezeDraft(Optional.empty(), until, reason, List.of(), Optional.empty());
  }

  /** Return this freeze for schedules with one of {@code some} tags. */
  public FreezeDraft of(String... some) {
    return new FreezeDraft(from, until, reason, List.of(some), action);
  }

  /** Return this freeze with another action. */
  public FreezeDraft action(QuietAction other) {
    return new FreezeDraft(from, until, reason, tags, Optional.of(other));
  }

  /** Return this freeze with a beginning that may be in the future. */
  public FreezeDraft from(Instant begin) {
    return new FreezeDraft(Optional.of(begin), until, reason, tags, action);
  }
}
