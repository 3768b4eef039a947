package dev.carillon.benchmarks.contender;

import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;

/**
 * What JobRunr stores of a run.
 *
 * @param number which of the runs or schedules it is
 */
public record JobRunrRequest(int number) implements JobRequest {

  @Override
  public Class<Handler> getJobRequestHandler() {
    return Handler.class;
  }

  /** Does nothing: the listener was called when JobRunr was about to call this. */
  public static final class Handler implements JobRequestHandler<JobRunrRequest> {
    @Override
    public void run(JobRunrRequest request) {}
  }
}
