package dev.carillon.server.watch;

import dev.carillon.model.RunState;
import dev.carillon.server.read.ContractText;
import io.prometheus.metrics.core.metrics.Counter;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Counts runs that are over by what timed them. The timings of schedules are read when metrics are,
 * for all schedules at once: the end of a run costs no query.
 */
final class RunsByTiming {
  /** The most schedules whose timings are asked for together. */
  static final int MAX_UNSORTED = 10_000;

  private static final String WITHOUT_SCHEDULE = "none";
  private static final String OTHERS = "other";

  private final Counter counter;
  private Map<String, EnumMap<RunState, Long>> unsorted = new HashMap<>();

  RunsByTiming(Counter counter) {
    this.counter = counter;
  }

  /** Count a run of {@code schedule}, or one that has none. */
  void ended(Optional<String> schedule, RunState state) {
    if (schedule.isEmpty()) {
      count(WITHOUT_SCHEDULE, state, 1);
    } else if (!isKept(schedule.get(), state)) {
      count(OTHERS, state, 1);
    }
  }

  private synchronized boolean isKept(String schedule, RunState state) {
    if (unsorted.size() == MAX_UNSORTED && !unsorted.containsKey(schedule)) {
      return false;
    }
    unsorted
        .computeIfAbsent(schedule, key -> new EnumMap<>(RunState.class))
        .merge(state, 1L, Long::sum);
    return true;
  }

  /**
   * Count what has ended since, by what {@code timings} says of its schedules. If that fails,
   * nothing is lost.
   */
  void sort(Function<Collection<String>, Map<String, String>> timings) {
    Map<String, EnumMap<RunState, Long>> ended = take();
    if (ended.isEmpty()) {
      return;
    }
    try {
      Map<String, String> known = timings.apply(ended.keySet());
      ended.forEach(
          (key, states) ->
              states.forEach((state, runs) -> count(known.getOrDefault(key, OTHERS), state, runs)));
    } catch (RuntimeException e) {
      giveBack(ended);
      throw e;
    }
  }

  private synchronized Map<String, EnumMap<RunState, Long>> take() {
    Map<String, EnumMap<RunState, Long>> taken = unsorted;
    unsorted = new HashMap<>();
    return taken;
  }

  private synchronized void giveBack(Map<String, EnumMap<RunState, Long>> ended) {
    ended.forEach(
        (key, states) ->
            states.forEach(
                (state, runs) ->
                    unsorted
                        .computeIfAbsent(key, one -> new EnumMap<>(RunState.class))
                        .merge(state, runs, Long::sum)));
  }

  private void count(String timing, RunState state, long runs) {
    counter.labelValues(timing, ContractText.word(state)).inc(runs);
  }
}
