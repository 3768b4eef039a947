package dev.carillon.store;

import dev.carillon.model.Run;
import dev.carillon.plan.Verdict;
import java.time.Instant;

/**
 * An attempt that ended, and what becomes of its run.
 *
 * @param run the run as it was claimed
 * @param verdict what becomes of it
 * @param startedAt when its target was called
 * @param endedAt when its target was done
 */
public record Settled(Run run, Verdict verdict, Instant startedAt, Instant endedAt) {}
