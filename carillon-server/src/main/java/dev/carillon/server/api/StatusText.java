package dev.carillon.server.api;

import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.server.read.ContractText;

/** The statuses of schedules as clients see them: one that ran its course was not deleted. */
enum StatusText {
  ACTIVE,
  PAUSED,
  COMPLETED,
  RETIRED;

  /** Return the word for how {@code schedule} stands. */
  static String of(Schedule schedule) {
    return schedule.completed()
        ? ContractText.word(COMPLETED)
        : ContractText.word(schedule.status());
  }

  /** Return {@code filter} for schedules that stand so. */
  static ScheduleFilter apply(ScheduleFilter filter, StatusText word) {
    return switch (word) {
      case ACTIVE -> filter.status(ScheduleStatus.ACTIVE);
      case PAUSED -> filter.status(ScheduleStatus.PAUSED);
      case COMPLETED -> filter.completed(true);
      case RETIRED -> filter.completed(false);
    };
  }
}
