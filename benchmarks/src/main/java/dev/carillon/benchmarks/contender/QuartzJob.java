package dev.carillon.benchmarks.contender;

import dev.carillon.bench.StartListener;
import org.quartz.Job;
import org.quartz.JobExecutionContext;

/** The job of every trigger of Quartz; the name of the trigger is the number of the run. */
public final class QuartzJob implements Job {
  private final StartListener startListener;

  QuartzJob(StartListener startListener) {
    this.startListener = startListener;
  }

  @Override
  public void execute(JobExecutionContext context) {
    startListener.started(
        Integer.parseInt(context.getTrigger().getKey().getName()),
        context.getScheduledFireTime().toInstant(),
        1);
  }
}
