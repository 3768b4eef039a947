package dev.carillon.benchmarks.contender;

import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.schedule.CronSchedule;
import com.github.kagkarlsson.scheduler.task.schedule.Schedule;
import java.io.Serializable;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/**
 * The cron {@code * * * * * *} of db-scheduler, brought back to whole seconds.
 *
 * <p>Left alone, it yields one second after the end of the run before, fraction included: its slots
 * slide, and no run would ever be late for one.
 */
record WholeSecondCron(CronSchedule cron) implements Schedule, Serializable {

  WholeSecondCron() {
    this(new CronSchedule("* * * * * *", ZoneOffset.UTC));
  }

  @Override
  public Instant getNextExecutionTime(ExecutionComplete complete) {
    return cron.getNextExecutionTime(complete).truncatedTo(ChronoUnit.SECONDS);
  }

  @Override
  public boolean isDeterministic() {
    return true;
  }
}
