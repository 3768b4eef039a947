package dev.carillon.server.api.compat;

import dev.carillon.Schedules;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.ScheduleVersion;
import dev.carillon.model.VersionRef;
import dev.carillon.server.api.TimingForm;
import java.time.Duration;
import java.util.Optional;

/**
 * A cron job: one version of a schedule. A version that was replaced is retired.
 *
 * @param schedule the schedule as it stands
 * @param version the version
 */
record CronJob(Schedule schedule, ScheduleVersion version) {
  /* What was claimed ahead of its time still runs when its version is replaced. */
  private static final Duration CLAIMED_AHEAD = Duration.ofMinutes(1);

  /** Return the job that {@code schedule} is now. */
  static CronJob current(Schedules schedules, Schedule schedule) {
    return new CronJob(
        schedule,
        schedule.version() == 1
            ? first(schedule)
            : of(schedule, schedules.version(schedule.key(), schedule.version()).orElseThrow()));
  }

  /* The version with the schedule's own definition, so that a page has each payload once. */
  private static ScheduleVersion of(Schedule schedule, ScheduleVersion version) {
    return version.version() == schedule.version()
        ? new ScheduleVersion(
            version.version(),
            schedule.definition(),
            version.created(),
            version.supersedes(),
            version.retiredAt())
        : version;
  }

  private static ScheduleVersion first(Schedule schedule) {
    return new ScheduleVersion(
        1, schedule.definition(), schedule.created(), Optional.empty(), Optional.empty());
  }

  static Optional<CronJob> find(Schedules schedules, CronJobId id) {
    return schedules
        .getById(id.schedule())
        .flatMap(
            schedule ->
                schedules
                    .version(schedule.key(), id.version())
                    .map(version -> new CronJob(schedule, version)));
  }

  String id() {
    return new CronJobId(schedule.id(), version.version()).toString();
  }

  Optional<String> supersedes() {
    return version.supersedes().map(earlier -> new CronJobId(schedule.id(), earlier).toString());
  }

  boolean isCurrent() {
    return version.version() == schedule.version();
  }

  /** Return what its runs are found by. */
  VersionRef ref() {
    return new VersionRef(
        schedule.id(),
        version.version(),
        version
            .retiredAt()
            .map(at -> at.plus(version.definition().jitter().amount()).plus(CLAIMED_AHEAD))
            .orElse(TimingForm.END));
  }

  ScheduleStatus status() {
    return isCurrent() ? schedule.status() : ScheduleStatus.RETIRED;
  }
}
