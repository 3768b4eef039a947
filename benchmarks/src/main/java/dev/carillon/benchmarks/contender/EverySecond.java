package dev.carillon.benchmarks.contender;

import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.schedule.Schedule;
import java.io.Serializable;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Whole seconds by plain arithmetic, since db-scheduler parses a stored cron for every run. */
record EverySecond() implements Schedule, Serializable {

  @Override
  public Instant getNextExecutionTime(ExecutionComplete complete) {
    return complete.getTimeDone().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
  }

  @Override
  public boolean isDeterministic() {
    return true;
  }
}
