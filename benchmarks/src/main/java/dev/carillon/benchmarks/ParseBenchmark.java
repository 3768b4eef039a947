package dev.carillon.benchmarks;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import dev.carillon.time.Cron;
import java.text.ParseException;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;
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

/** From text to something that can be asked for its next fire. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {"-Xms512m", "-Xmx512m"})
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@SuppressWarnings("NullAway.Init") // JMH sets the fields before it calls a benchmark
public class ParseBenchmark {
  @Param({
    Expressions.OFTEN,
    Expressions.WORKDAYS,
    Expressions.MONTHLY,
    Expressions.LEAP_DAY,
    Expressions.LONG
  })
  public String expression;

  private String forSpring;
  private String forQuartz;
  private TimeZone timeZone;
  private CronParser unix;

  @Setup
  public void translate() {
    forSpring = Expressions.spring(expression);
    forQuartz = Expressions.quartz(expression);
    timeZone = TimeZone.getTimeZone(Moments.ZONE);
    unix = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));
  }

  @Benchmark
  public Cron carillon() {
    return Cron.parse(expression, Moments.ZONE);
  }

  @Benchmark
  public org.jobrunr.scheduling.cron.CronExpression jobRunr() {
    return new org.jobrunr.scheduling.cron.CronExpression(expression);
  }

  @Benchmark
  public CronExpression spring() {
    return CronExpression.parse(forSpring);
  }

  @Benchmark
  public org.quartz.CronExpression quartz() throws ParseException {
    var cron = new org.quartz.CronExpression(forQuartz);
    cron.setTimeZone(timeZone);
    return cron;
  }

  @Benchmark
  public ExecutionTime cronUtils() {
    return ExecutionTime.forCron(unix.parse(expression));
  }
}
