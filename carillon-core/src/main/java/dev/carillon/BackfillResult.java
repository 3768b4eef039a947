package dev.carillon;

import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a backfill did, or would do, and why it was no more.
 *
 * @param slots the slots that got a run, oldest first
 * @param runs their runs, in the same order; none if it was only a preview
 * @param again how many of these slots had a run that was skipped or canceled
 * @param slotsInRange how many slots were looked at
 * @param taken how many of them have a run that succeeded, failed or is on its way, by its state
 * @param more whether slots were left because of the limit: another backfill goes on with them
 * @param why in words, what slots were left and why; empty if each has got a run
 */
public record BackfillResult(
    List<Instant> slots,
    List<RunId> runs,
    int again,
    int slotsInRange,
    Map<RunState, Integer> taken,
    boolean more,
    Optional<String> why) {
  public BackfillResult {
    slots = List.copyOf(slots);
    runs = List.copyOf(runs);
    var byState = new EnumMap<RunState, Integer>(RunState.class);
    byState.putAll(taken);
    taken = Collections.unmodifiableMap(byState);
  }
}
