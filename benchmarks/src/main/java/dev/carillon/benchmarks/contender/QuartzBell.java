package dev.carillon.benchmarks.contender;

import dev.carillon.bench.Bell;
import org.quartz.Job;
import org.quartz.JobExecutionContext;

/** The job of every trigger of Quartz, which tells it apart by the trigger's name. */
public final class QuartzBell implements Job {
  private final Bell bell;

  QuartzBell(Bell bell) {
    this.bell = bell;
  }

  @Override
  public void execute(JobExecutionContext context) {
    bell.ring(
        Integer.parseInt(context.getTrigger().getKey().getName()),
        context.getScheduledFireTime().toInstant(),
        1);
  }
}
