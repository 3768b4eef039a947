package dev.carillon.benchmarks;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import dev.carillon.time.Cron;
import java.text.ParseException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.Optional;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.scheduling.support.CronExpression;

/** One {@code next()} in a zone with daylight saving, through each library's own public API. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {"-Xms512m", "-Xmx512m"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // JMH sets the fields before it calls a benchmark
public class NextBenchmark {
  @Param({Expressions.OFTEN, Expressions.WORKDAYS, Expressions.MONTHLY, Expressions.LEAP_DAY})
  public String expression;

  private Cron carillon;
  private org.jobrunr.scheduling.cron.CronExpression jobRunr;
  private CronExpression spring;
  private org.quartz.CronExpression quartz;
  private ExecutionTime cronUtils;

  @Setup
  public void parse() throws ParseException {
    carillon = Cron.parse(expression, Moments.ZONE);
    jobRunr = new org.jobrunr.scheduling.cron.CronExpression(expression);
    spring = CronExpression.parse(Expressions.spring(expression));
    quartz = new org.quartz.CronExpression(Expressions.quartz(expression));
    quartz.setTimeZone(TimeZone.getTimeZone(Moments.ZONE));
    var unix = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));
    cronUtils = ExecutionTime.forCron(unix.parse(expression));
  }

  @Benchmark
  public Optional<Instant> carillon(Moments moments) {
    return carillon.next(moments.instant());
  }

  @Benchmark
  public Instant jobRunr(Moments moments) {
    Instant moment = moments.instant();
    return jobRunr.next(moment, moment, Moments.ZONE);
  }

  @Benchmark
  public @Nullable ZonedDateTime spring(Moments moments) {
    return spring.next(moments.zoned());
  }

  @Benchmark
  public Date quartz(Moments moments) {
    return quartz.getNextValidTimeAfter(moments.date());
  }

  @Benchmark
  public Optional<ZonedDateTime> cronUtils(Moments moments) {
    return cronUtils.nextExecution(moments.zoned());
  }
}
