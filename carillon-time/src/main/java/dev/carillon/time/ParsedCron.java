package dev.carillon.time;

import java.util.List;

/**
 * A parsed cron expression.
 *
 * @param expression as written, with single blanks
 * @param resolved the same with macros and {@code H} replaced by their values
 * @param slots the local date-times that match
 * @param hasWildcard whether second, minute or hour has a wildcard, so that both passes of a
 *     repeated hour fire
 * @param warnings what is probably not intended
 */
record ParsedCron(
    String expression,
    String resolved,
    CronLocalTimes slots,
    boolean hasWildcard,
    List<Warning> warnings) {}
