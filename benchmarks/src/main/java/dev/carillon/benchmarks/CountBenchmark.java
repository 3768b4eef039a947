package dev.carillon.benchmarks;

import dev.carillon.time.Timing;
import java.time.Instant;
import java.time.ZoneId;
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

/** How many slots a stretch holds: what planning asks after an outage. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {"-Xms512m", "-Xmx512m"})
@Warmup(iterations = 2, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@SuppressWarnings("NullAway.Init") // JMH sets the fields before it calls a benchmark
public class CountBenchmark {
  private static final ZoneId ZONE = ZoneId.of("Europe/Rome");
  private static final Instant FROM = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant ONE_YEAR = Instant.parse("2027-01-01T00:00:00Z");
  private static final Instant TEN_YEARS = Instant.parse("2036-01-01T00:00:00Z");

  @Param({"@every 1s", "* * * * * *", "*/5 * * * *", "30 2 * * 1-5"})
  public String expression;

  private Timing timing;
  private Instant through;

  @Setup
  public void parse() {
    timing = Timing.parse(expression, ZONE);
    through = isEverySecond() ? ONE_YEAR : TEN_YEARS;
  }

  private boolean isEverySecond() {
    return expression.equals("@every 1s") || expression.equals("* * * * * *");
  }

  @Benchmark
  public long carillon() {
    return timing.between(FROM, through).count();
  }
}
