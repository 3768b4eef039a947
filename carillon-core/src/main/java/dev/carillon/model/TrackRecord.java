package dev.carillon.model;

/**
 * How the runs of one version of a schedule have been doing.
 *
 * @param last the latest of them that has started or ended
 * @param consecutiveFailures how many have failed since the last one that succeeded
 */
public record TrackRecord(RecentRun last, int consecutiveFailures) {}
