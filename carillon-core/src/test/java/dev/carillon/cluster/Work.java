package dev.carillon.cluster;

import dev.carillon.target.Handler;
import dev.carillon.target.RunContext;
import dev.carillon.target.StopReason;
import java.time.Duration;
import java.util.Map;

/** A handler that takes as long, and fails as often, as its payload says. */
final class Work implements Handler {
  static final String LABEL = "work";

  private final Effects effects;

  Work(Effects effects) {
    this.effects = effects;
  }

  /**
   * How long attempts take and how they end.
   *
   * @param quick how long most take
   * @param slow how long the first attempt of every {@code nth} slot takes
   * @param nth which slots are slow; zero for none
   * @param failures how many attempts of each run fail
   * @param atMostOnce whether a second attempt would be a mistake
   */
  record Habit(Duration quick, Duration slow, int nth, int failures, boolean atMostOnce) {
    static Habit quick(int millis) {
      return new Habit(Duration.ofMillis(millis), Duration.ZERO, 0, 0, false);
    }

    Habit slow(int millis, int nth) {
      return new Habit(quick, Duration.ofMillis(millis), nth, failures, atMostOnce);
    }

    Habit failing(int failures) {
      return new Habit(quick, slow, nth, failures, atMostOnce);
    }

    Habit once() {
      return new Habit(quick, slow, nth, failures, true);
    }

    Map<String, Object> payload() {
      return Map.of(
          "quick", quick.toMillis(),
          "slow", slow.toMillis(),
          "nth", nth,
          "failures", failures,
          "atMostOnce", atMostOnce);
    }

    static Habit of(RunContext context) {
      return new Habit(
          Duration.ofMillis(number(context, "quick")),
          Duration.ofMillis(number(context, "slow")),
          (int) number(context, "nth"),
          (int) number(context, "failures"),
          context.payload().text("atMostOnce").map(Boolean::parseBoolean).orElse(false));
    }

    private static long number(RunContext context, String name) {
      return context.payload().number(name).orElse(0L);
    }

    void rest(RunContext context) throws InterruptedException {
      boolean isSlow =
          nth > 0 && context.attempt() == 1 && context.slot().getEpochSecond() % nth == 0;
      Thread.sleep((isSlow ? slow : quick).toMillis());
    }
  }

  @Override
  public void run(RunContext context) throws Exception {
    Habit habit = Habit.of(context);
    long line = effects.begin(context, habit.atMostOnce);
    try {
      habit.rest(context);
    } catch (InterruptedException e) {
      effects.end(line, context.stop().map(StopReason::name).orElse("interrupted"));
      throw e;
    }
    if (context.attempt() <= habit.failures) {
      effects.end(line, "failed");
      throw new IllegalStateException("fails as it should");
    }
    effects.end(line, "done");
  }
}
