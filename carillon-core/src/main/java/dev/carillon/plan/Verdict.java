package dev.carillon.plan;

import dev.carillon.model.Failure;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import java.time.Instant;
import java.util.Optional;

/**
 * What becomes of a run after an attempt.
 *
 * @param id the run
 * @param attempt the attempt that ended: the fence
 * @param state what the run becomes
 * @param wakeAt when it is tried again, if it becomes pending
 * @param failure why the attempt failed
 * @param reason why it was canceled
 */
public record Verdict(
    RunId id,
    int attempt,
    RunState state,
    Optional<Instant> wakeAt,
    Optional<Failure> failure,
    Optional<String> reason) {}
