package dev.carillon.benchmarks.contender;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.ExecutionContext;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.PlainScheduleAndData;
import com.github.kagkarlsson.scheduler.task.helper.RecurringTaskWithPersistentSchedule;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.Schedule;
import dev.carillon.bench.Contender;
import dev.carillon.bench.Sql;
import dev.carillon.bench.StartListener;
import java.time.Duration;
import java.time.Instant;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** db-scheduler, tuned as its documentation says. */
final class DbSchedulerContender implements Contender {
  /* Without the index for priorities, which nothing here has: it would only slow db-scheduler. */
  private static final String TABLE =
      """
      create table scheduled_tasks (
        task_name text not null,
        task_instance text not null,
        task_data bytea,
        execution_time timestamptz,
        picked boolean not null,
        picked_by text,
        last_success timestamptz,
        last_failure timestamptz,
        consecutive_failures int,
        last_heartbeat timestamptz,
        version bigint not null,
        priority smallint,
        state text,
        primary key (task_name, task_instance));
      create index on scheduled_tasks (execution_time);
      create index on scheduled_tasks (last_heartbeat)
      """;

  private static final Duration POLL = Duration.ofMillis(100);

  private final OneTimeTask<Void> once =
      Tasks.oneTime("once").execute((instance, context) -> started(instance, context));
  private final RecurringTaskWithPersistentSchedule<PlainScheduleAndData> recurring =
      Tasks.recurringWithPersistentSchedule("recurring", PlainScheduleAndData.class)
          .execute((instance, context) -> started(instance, context));

  private final DataSource database;
  private final Schedule everySecond;
  private final UnaryOperator<SchedulerBuilder> tuning;
  private volatile StartListener startListener = (number, slot, attempt) -> {};
  private @Nullable Scheduler scheduler;

  DbSchedulerContender(
      DataSource database, Schedule everySecond, UnaryOperator<SchedulerBuilder> tuning) {
    this.database = database;
    this.everySecond = everySecond;
    this.tuning = tuning;
  }

  private void started(TaskInstance<?> instance, ExecutionContext context) {
    startListener.started(
        Integer.parseInt(instance.getId()), context.getExecution().executionTime, 1);
  }

  @Override
  public void install() {
    Sql.on(database).run(TABLE);
  }

  /** Add them in one statement: one by one, a million takes minutes. */
  @Override
  public void addIdle(int count, IntConsumer added) {
    Sql.on(database)
        .run(
            """
            insert into scheduled_tasks
                   (task_name, task_instance, task_data, execution_time, picked, version)
            select 'recurring', 'idle-' || number, ?,
                   now() + interval '1 year' + number * interval '1 second', false, 1
              from generate_series(1, ?) as number
            """,
            Serializer.DEFAULT_JAVA_SERIALIZER.serialize(schedule()),
            count);
  }

  @Override
  public void addDue(int count, IntConsumer added) {
    Stream<TaskInstance<?>> due = numbers(count).map(once::instance);
    client().scheduleBatch(due, Instant.now().minusSeconds(60));
  }

  @Override
  public void addEverySecond(int count, Instant first) {
    Stream<TaskInstance<?>> instances =
        numbers(count).map(number -> recurring.instance(number, schedule()));
    client().scheduleBatch(instances, first);
  }

  @Override
  public void removeEverySecond(int count, Instant first) {
    Sql.on(database)
        .run(
            "delete from scheduled_tasks where task_name = 'recurring' and task_instance = any (?)",
            (Object) numbers(count).toArray(String[]::new));
  }

  @Override
  public void start(StartListener startListener) {
    this.startListener = startListener;
    scheduler =
        tuning.apply(Scheduler.create(database, once, recurring).pollingInterval(POLL)).build();
    scheduler.start();
  }

  @Override
  public long unfinished() {
    return (long)
        Sql.on(database).number("select count(*) from scheduled_tasks where task_name = 'once'");
  }

  @Override
  public void close() {
    if (scheduler != null) {
      scheduler.stop();
    }
  }

  private SchedulerClient client() {
    return SchedulerClient.Builder.create(database, once, recurring).build();
  }

  private PlainScheduleAndData schedule() {
    return new PlainScheduleAndData(everySecond);
  }

  private static Stream<String> numbers(int count) {
    return IntStream.range(0, count).mapToObj(Integer::toString);
  }
}
