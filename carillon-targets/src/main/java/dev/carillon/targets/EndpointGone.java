package dev.carillon.targets;

import dev.carillon.model.RunId;
import java.util.Optional;

/**
 * A 410 response: the endpoint wants no more messages, so the schedule should be paused.
 *
 * @param schedule the key of the schedule; empty for an ad-hoc run
 * @param target the label of the target
 * @param run the run whose message was answered with 410
 * @param reason the reason that the paused schedule shows
 */
public record EndpointGone(Optional<String> schedule, String target, RunId run, String reason) {}
