package dev.carillon.benchmarks.contender;

import static java.util.stream.Collectors.toSet;

import dev.carillon.bench.Contender;
import dev.carillon.bench.Sql;
import dev.carillon.bench.StartListener;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.jdbcjobstore.JobStoreTX;
import org.quartz.impl.jdbcjobstore.PostgreSQLDelegate;
import org.quartz.utils.ConnectionProvider;
import org.quartz.utils.DBConnectionManager;

/** Quartz as one node of a cluster, tuned for many triggers of one job. */
final class QuartzContender implements Contender {
  private static final String SOURCE = "benchmark";
  private static final String BATCH = "20";

  /* Nothing counts as misfired, or Quartz would handle misfires instead of firing. */
  private static final Map<String, String> SETTINGS =
      Map.ofEntries(
          Map.entry("org.quartz.scheduler.instanceName", SOURCE),
          Map.entry("org.quartz.scheduler.instanceId", "AUTO"),
          Map.entry("org.quartz.scheduler.batchTriggerAcquisitionMaxCount", BATCH),
          Map.entry("org.quartz.threadPool.threadCount", BATCH),
          Map.entry("org.quartz.jobStore.class", JobStoreTX.class.getName()),
          Map.entry("org.quartz.jobStore.driverDelegateClass", PostgreSQLDelegate.class.getName()),
          Map.entry("org.quartz.jobStore.dataSource", SOURCE),
          Map.entry("org.quartz.jobStore.isClustered", "true"),
          Map.entry("org.quartz.jobStore.acquireTriggersWithinLock", "true"),
          Map.entry("org.quartz.jobStore.useProperties", "true"),
          Map.entry("org.quartz.jobStore.misfireThreshold", "3600000"));

  private final DataSource database;
  private @Nullable Scheduler scheduler;

  QuartzContender(DataSource database) {
    this.database = database;
  }

  @Override
  public void install() {
    try (InputStream script = JobStoreTX.class.getResourceAsStream("tables_postgres.sql")) {
      Sql.on(database)
          .run(
              new String(
                  Objects.requireNonNull(script, "tables_postgres.sql is missing from Quartz")
                      .readAllBytes(),
                  StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Add them in one statement, as copies of one: one by one, they take minutes. */
  @Override
  public void addIdle(int count, IntConsumer added) {
    add("idle", 1, TriggerBuilder.newTrigger().startAt(Date.from(Instant.now().plusSeconds(1))));
    Sql.on(database)
        .run(
            """
            with later as (
              update qrtz_triggers
                 set next_fire_time = next_fire_time + 31536000000,
                     start_time = start_time + 31536000000
               where trigger_group = 'idle'
              returning *),
            copy as (
              insert into qrtz_triggers
              select sched_name, number::text, trigger_group, job_name, job_group, description,
                     next_fire_time + 1000 * (number % 86400), prev_fire_time, priority,
                     trigger_state, trigger_type, start_time + 1000 * (number % 86400), end_time,
                     calendar_name, misfire_instr, job_data
                from later, generate_series(1, ? - 1) as number)
            insert into qrtz_simple_triggers
            select sched_name, number::text, trigger_group, repeat_count, repeat_interval, 0
              from qrtz_simple_triggers, generate_series(1, ? - 1) as number
             where trigger_group = 'idle'
            """,
            count, count);
  }

  @Override
  public void addDue(int count, IntConsumer added) {
    add("due", count, TriggerBuilder.newTrigger());
  }

  @Override
  public void addEverySecond(int count, Instant first) {
    add(
        "recurring",
        count,
        TriggerBuilder.newTrigger()
            .startAt(Date.from(first))
            .withSchedule(SimpleScheduleBuilder.repeatSecondlyForever()));
  }

  private void add(String group, int count, TriggerBuilder<?> each) {
    JobDetail job = JobBuilder.newJob(QuartzJob.class).withIdentity(group).storeDurably().build();
    Set<Trigger> triggers =
        IntStream.range(0, count)
            .mapToObj(number -> each.withIdentity(Integer.toString(number), group).build())
            .collect(toSet());
    try {
      open().scheduleJobs(Map.of(job, triggers), true);
    } catch (SchedulerException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void start(StartListener startListener) {
    try {
      Scheduler scheduler = open();
      scheduler.setJobFactory((bundle, owner) -> new QuartzJob(startListener));
      scheduler.start();
    } catch (SchedulerException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public long unfinished() {
    return (long)
        Sql.on(database).number("select count(*) from qrtz_triggers where trigger_group = 'due'");
  }

  @Override
  public void close() {
    try {
      if (scheduler != null) {
        scheduler.shutdown(true);
      }
    } catch (SchedulerException e) {
      throw new IllegalStateException(e);
    }
  }

  private Scheduler open() throws SchedulerException {
    if (scheduler == null) {
      DBConnectionManager.getInstance().addConnectionProvider(SOURCE, new Borrowed(database));
      var settings = new Properties();
      settings.putAll(SETTINGS);
      scheduler = new StdSchedulerFactory(settings).getScheduler();
    }
    return scheduler;
  }

  /** The pool of the measurement behind the interface of Quartz. */
  private record Borrowed(DataSource database) implements ConnectionProvider {

    @Override
    public Connection getConnection() throws SQLException {
      return database.getConnection();
    }

    @Override
    public void initialize() {}

    @Override
    public void shutdown() {}
  }
}
