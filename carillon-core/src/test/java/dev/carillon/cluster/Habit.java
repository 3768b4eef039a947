package dev.carillon.cluster;

import dev.carillon.target.RunContext;
import java.time.Duration;
import java.util.Map;

/**
 * How long attempts take and how they end, as a payload tells their handler.
 *
 * @param quick how long most take
 * @param slow how long the first attempt of every {@code nth} second's slot takes
 * @param nth which slots are slow; zero for none
 * @param failures how many attempts of each run fail
 */
record Habit(Duration quick, Duration slow, int nth, int failures) {

  static Habit quick(int millis) {
    return new Habit(Duration.ofMillis(millis), Duration.ZERO, 0, 0);
  }

  Habit slow(int millis, int nth) {
    return new Habit(quick, Duration.ofMillis(millis), nth, failures);
  }

  Habit failing(int failures) {
    return new Habit(quick, slow, nth, failures);
  }

  Map<String, Object> payload() {
    return Map.of(
        "quick", quick.toMillis(), "slow", slow.toMillis(), "nth", nth, "failures", failures);
  }

  static Habit of(RunContext context) {
    return new Habit(
        Duration.ofMillis(number(context, "quick")),
        Duration.ofMillis(number(context, "slow")),
        (int) number(context, "nth"),
        (int) number(context, "failures"));
  }

  private static long number(RunContext context, String name) {
    return context.payload().number(name).orElse(0L);
  }

  /** Take the time, and fail if it is time to. */
  void practise(RunContext context) throws InterruptedException {
    boolean isSlow =
        nth > 0 && context.attempt() == 1 && context.slot().getEpochSecond() % nth == 0;
    Thread.sleep((isSlow ? slow : quick).toMillis());
    if (context.attempt() <= failures) {
      throw new IllegalStateException("fails as it should");
    }
  }
}
