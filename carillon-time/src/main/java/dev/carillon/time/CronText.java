package dev.carillon.time;

import java.util.List;

/**
 * A cron expression that has been read.
 *
 * @param expression as written, with single blanks
 * @param resolved the same with macros and {@code H} replaced by what they stand for
 * @param slots the local date-times it names
 * @param keepsBeat whether second, minute or hour has a wildcard, so that both passes of a repeated
 *     hour fire
 * @param warnings what is odd about it
 */
record CronText(
    String expression,
    String resolved,
    LocalSlots slots,
    boolean keepsBeat,
    List<Warning> warnings) {}
