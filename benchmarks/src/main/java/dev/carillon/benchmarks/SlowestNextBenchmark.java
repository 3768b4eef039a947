package dev.carillon.benchmarks;

import dev.carillon.time.Cron;
import java.time.Instant;
import java.util.Optional;
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

/** One {@code next()} that has to look far ahead, or to the end of time and finds nothing. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {"-Xms512m", "-Xmx512m"})
@Warmup(iterations = 2, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@SuppressWarnings("NullAway.Init") // JMH sets the fields before it calls a benchmark
public class SlowestNextBenchmark {
  private static final Instant FROM = Instant.parse("1970-01-01T00:00:00Z");
  private static final Instant AFTER_LEAP_DAY = Instant.parse("2096-03-01T12:00:00Z");

  @Param({
    "0 0 29 2 *", // 2100 is no leap year, so from 2096 the next one is 2104
    "0 0 30 2 *", // never
    "0 0 31W 2 *", // never, but for another reason
    "0 0 31 2 +5#5", // never, with both day fields to be asked
    "0 0 0 29 2 * 2196" // far away
  })
  public String expression;

  private Cron cron;
  private Instant after;

  @Setup
  public void parse() {
    cron = Cron.parse(expression, Moments.ZONE);
    after = expression.equals("0 0 29 2 *") ? AFTER_LEAP_DAY : FROM;
  }

  @Benchmark
  public Optional<Instant> carillon() {
    return cron.next(after);
  }
}
