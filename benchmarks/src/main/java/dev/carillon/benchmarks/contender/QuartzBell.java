package dev.carillon.benchmarks.contender;

import dev.carillon.bench.StartListener;
import org.quartz.Job;
import org.quartz.JobExecutionContext;

/** The job of every trigger of Quartz, which tells it apart by the trigger's name. */
public final class QuartzBell implements Job {
  private final StartListener startListener;

  QuartzBell(StartListener startListener) {
    this.startListener = startListener;
  }

  @Override
  public void execute(JobExecutionContext context) {
    startListener.ring(
        Integer.parseInt(context.getTrigger().getKey().getName()),
        context.getScheduledFireTime().toInstant(),
        1);
  }
}
