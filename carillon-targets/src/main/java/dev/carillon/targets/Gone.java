package dev.carillon.targets;

import dev.carillon.model.RunId;
import java.util.Optional;

/**
 * An endpoint's word that it wants no more messages: the schedule should be paused.
 *
 * @param schedule the key of the schedule; empty for an ad-hoc run
 * @param target the label of the target
 * @param run the run whose message was answered with 410
 * @param reason what to tell those who wonder why the schedule is paused
 */
public record Gone(Optional<String> schedule, String target, RunId run, String reason) {}
