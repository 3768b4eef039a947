package dev.carillon.model;

import java.time.Instant;
import java.util.Optional;

/**
 * One definition a schedule has or had.
 *
 * @param version its number, from one
 * @param definition what it says
 * @param created by whom and when it was made
 * @param supersedes the version it replaced
 * @param retiredAt when it was replaced, or the schedule retired
 */
public record ScheduleVersion(
    int version,
    Definition definition,
    ChangedBy created,
    Optional<Integer> supersedes,
    Optional<Instant> retiredAt) {}
