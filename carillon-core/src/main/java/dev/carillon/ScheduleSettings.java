package dev.carillon;

import dev.carillon.policy.PolicyDefaults;
import java.time.Duration;

/**
 * What holds for all schedules of a scheduler.
 *
 * @param allowedReferences which targets and zones a definition may name
 * @param defaults the policies of a definition that does not say
 * @param lookahead how long before they are due slots become runs
 * @param retention how long history is kept
 */
record ScheduleSettings(
    AllowedReferences allowedReferences,
    PolicyDefaults defaults,
    Duration lookahead,
    Duration retention) {}
