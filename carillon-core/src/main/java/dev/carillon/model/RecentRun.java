package dev.carillon.model;

import java.time.Instant;
import java.util.Optional;

/**
 * What became of a run, in brief: one mark of the strip that shows how a schedule has been doing.
 *
 * @param id the run
 * @param state running, or how it ended
 * @param startedAt when its last attempt started; empty if it never did
 * @param finishedAt when it ended; empty while it runs
 */
public record RecentRun(
    RunId id, RunState state, Optional<Instant> startedAt, Optional<Instant> finishedAt) {}
