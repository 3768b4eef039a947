package dev.carillon.server;

import dev.carillon.CarillonBuilder;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.server.api.Defaults;
import dev.carillon.server.read.Texts;
import dev.carillon.time.Jitter;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * How the scheduler of a server is to run.
 *
 * @param durations the lengths of time that are set
 * @param concurrency how many runs it works on at a time, if set
 * @param nodeName what people call this node, if set
 * @param defaults what schedules get that do not say
 */
public record SchedulerSettings(
    Map<Setting, Duration> durations,
    Optional<Integer> concurrency,
    Optional<String> nodeName,
    Defaults defaults) {
  private static final Map<Setting, BiConsumer<CarillonBuilder, Duration>> TIMES =
      Map.of(
          Setting.LOOKAHEAD, CarillonBuilder::lookahead,
          Setting.POLL, CarillonBuilder::poll,
          Setting.CLAIM_AHEAD, CarillonBuilder::claimAhead,
          Setting.HEARTBEAT, CarillonBuilder::heartbeat,
          Setting.LEASE, CarillonBuilder::lease,
          Setting.DRAIN, CarillonBuilder::drain,
          Setting.RETENTION, CarillonBuilder::retention,
          Setting.REPORT_TIMEOUT, CarillonBuilder::acceptedTimeout);

  public SchedulerSettings {
    durations = Map.copyOf(durations);
  }

  static SchedulerSettings from(Lookup lookup) {
    var durations = new TreeMap<Setting, Duration>();
    TIMES
        .keySet()
        .forEach(
            time -> lookup.find(time).ifPresent(found -> durations.put(time, found.duration())));
    return new SchedulerSettings(
        durations,
        lookup
            .find(Setting.CONCURRENCY)
            .map(found -> found.whole(1, 100_000, "a number from 1 to 100000")),
        lookup.find(Setting.NODE_NAME).map(Found::value),
        defaults(lookup));
  }

  private static Defaults defaults(Lookup lookup) {
    Overlap overlap =
        lookup
            .find(Setting.DEFAULT_OVERLAP)
            .map(found -> found.read(word -> Texts.word(Overlap.Rule.class, word)))
            .map(Defaults::overlap)
            .orElse(Overlap.SKIP);
    CatchUp catchUp =
        lookup
            .find(Setting.DEFAULT_CATCH_UP)
            .map(found -> CatchUp.of(found.read(CatchUp::modeNamed)))
            .orElse(CatchUp.skip());
    Jitter jitter =
        lookup
            .find(Setting.DEFAULT_JITTER)
            .map(found -> found.read(text -> Jitter.around(found.duration())))
            .orElse(Jitter.NONE);
    int limit =
        lookup
            .find(Setting.CATCH_UP_LIMIT)
            .map(
                found ->
                    found.whole(
                        1, CatchUp.LARGEST_LIMIT, "a number from 1 to " + CatchUp.LARGEST_LIMIT))
            .orElse(catchUp.limit());
    return new Defaults(overlap, catchUp.limit(limit), jitter);
  }

  /** Tell {@code builder} what is set. */
  CarillonBuilder applyTo(CarillonBuilder builder) {
    TIMES.forEach(
        (time, setter) ->
            Optional.ofNullable(durations.get(time))
                .ifPresent(length -> setter.accept(builder, length)));
    concurrency.ifPresent(builder::concurrency);
    nodeName.ifPresent(builder::nodeName);
    return builder;
  }
}
