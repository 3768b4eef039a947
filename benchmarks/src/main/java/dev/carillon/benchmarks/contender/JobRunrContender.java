package dev.carillon.benchmarks.contender;

import dev.carillon.bench.Contender;
import dev.carillon.bench.Sql;
import dev.carillon.bench.StartListener;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.configuration.JobRunrConfiguration;
import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.filters.JobServerFilter;
import org.jobrunr.jobs.states.ScheduledState;
import org.jobrunr.scheduling.JobBuilder;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;

/** JobRunr with many threads and as short a poll as it allows. */
final class JobRunrContender implements Contender {
  private static final int THREADS = 50;
  private static final Duration MIN_LENGTH = Duration.ofSeconds(5);
  private static final int BATCH = 5_000;

  private final DataSource database;

  JobRunrContender(DataSource database) {
    this.database = database;
  }

  @Override
  public Duration period() {
    return MIN_LENGTH;
  }

  @Override
  public void install() {
    new PostgresStorageProvider(database).close();
  }

  /** Add one-time jobs: of recurring ones, it supports a hundred. */
  @Override
  public void addIdle(int count, IntConsumer added) {
    Instant later = Instant.now().plus(Duration.ofDays(365));
    JobRequestScheduler scheduler = client();
    batches(
            count,
            number ->
                JobBuilder.aJob()
                    .withJobRequest(new JobRunrRequest(number))
                    .scheduleAt(later.plusSeconds(number % 86_400)))
        .forEach(scheduler::create);
  }

  @Override
  public void addDue(int count, IntConsumer added) {
    JobRequestScheduler scheduler = client();
    batches(count, JobRunrRequest::new).forEach(scheduler::enqueue);
  }

  /** Add them one by one; there is no other way. Their first slot follows the start. */
  @Override
  public void addEverySecond(int count, Instant first) {
    JobRequestScheduler scheduler = client();
    for (int number = 0; number < count; number++) {
      scheduler.scheduleRecurrently(
          "bell-" + number, "*/5 * * * * *", ZoneOffset.UTC, new JobRunrRequest(number));
    }
  }

  @Override
  public void start(StartListener startListener) {
    configuration()
        .withJobFilter(new StartFilter(startListener))
        .useBackgroundJobServer(
            BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                .andPollInterval(MIN_LENGTH)
                .andWorkerCount(THREADS))
        .initialize();
  }

  @Override
  public long unfinished() {
    return (long)
        Sql.on(database)
            .number("select count(*) from jobrunr_jobs where state in ('ENQUEUED', 'PROCESSING')");
  }

  @Override
  public void close() {
    JobRunr.destroy();
  }

  private JobRequestScheduler client() {
    return configuration().initialize().getJobRequestScheduler();
  }

  private JobRunrConfiguration configuration() {
    return JobRunr.configure().useStorageProvider(new PostgresStorageProvider(database));
  }

  private static <T> Stream<Stream<T>> batches(int count, IntFunction<T> each) {
    return IntStream.iterate(0, from -> from < count, from -> from + BATCH)
        .mapToObj(from -> IntStream.range(from, Math.min(count, from + BATCH)).mapToObj(each));
  }

  /** Calls the listener when a handler is about to start; only a filter sees the slot. */
  private record StartFilter(StartListener startListener) implements JobServerFilter {

    @Override
    public void onProcessing(Job job) {
      var request = (JobRunrRequest) job.getJobDetails().getJobParameterValues()[0];
      Instant slot =
          job.getLastJobStateOfType(ScheduledState.class)
              .map(ScheduledState::getScheduledAt)
              .orElseGet(job::getCreatedAt);
      startListener.started(request.number(), slot, 1);
    }
  }
}
