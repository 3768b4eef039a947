package dev.carillon.model;

import java.time.Duration;

/**
 * Figures of a scheduler at a moment. Schedules are those of the cluster; what happened is what
 * ended on this node since it was made, and rate, average and share are of the last hour of that.
 *
 * @param totalSchedules schedules that are not retired
 * @param activeSchedules schedules that fire
 * @param succeeded runs that succeeded
 * @param failed runs that failed for good
 * @param missed slots that became no run because they were missed
 * @param recovered runs that were taken over from nodes that were lost
 * @param recoveryEvents nodes that were lost
 * @param executionsPerMinute runs that succeeded or failed per minute
 * @param averageExecutionTime how long the last attempt of such a run took; zero if there was none
 * @param failedExecutionsRate which part of them failed, from 0 to 1
 */
public record Metrics(
    long totalSchedules,
    long activeSchedules,
    long succeeded,
    long failed,
    long missed,
    long recovered,
    long recoveryEvents,
    double executionsPerMinute,
    Duration averageExecutionTime,
    double failedExecutionsRate) {}
