package dev.carillon.server;

import dev.carillon.CarillonBuilder;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.PolicyDefaults;
import dev.carillon.server.api.Defaults;
import dev.carillon.server.read.Texts;
import dev.carillon.time.AllowedZones;
import dev.carillon.time.Jitter;
import java.time.Duration;
import java.util.Arrays;
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
 * @param zones the time zones that schedules may use
 * @param catchUpPerTick how many missed slots of a schedule become runs at a time, if set
 * @param policies what the scheduler gives schedules that do not say
 * @param defaults what the forms of the server give them
 */
public record SchedulerSettings(
    Map<Setting, Duration> durations,
    Optional<Integer> concurrency,
    Optional<String> nodeName,
    AllowedZones zones,
    Optional<Integer> catchUpPerTick,
    PolicyDefaults policies,
    Defaults defaults) {
  private static final String ANY_AGE = "none";

  private static final Duration DEFAULT_DRAIN = Duration.ofSeconds(30);
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
    PolicyDefaults policies = policies(lookup);
    return new SchedulerSettings(
        durations,
        count(lookup, Setting.CONCURRENCY, 100_000),
        lookup.find(Setting.NODE_NAME).map(Found::value),
        zones(lookup),
        count(lookup, Setting.CATCH_UP_PER_TICK, CatchUp.LARGEST_LIMIT),
        policies,
        defaults(lookup, policies));
  }

  private static AllowedZones zones(Lookup lookup) {
    return lookup
        .find(Setting.ALLOWED_ZONES)
        .map(
            found ->
                found.read(
                    list ->
                        AllowedZones.of(
                            Arrays.stream(list.split(",", -1)).map(String::strip).toList())))
        .orElse(AllowedZones.ALL);
  }

  private static PolicyDefaults policies(Lookup lookup) {
    PolicyDefaults usual = PolicyDefaults.USUAL;
    return new PolicyDefaults(
        catchUp(lookup, usual.catchUp()),
        count(lookup, Setting.QUEUE_LIMIT, Overlap.LONGEST_QUEUE).orElse(usual.queueLimit()));
  }

  /* Those who speak the words of the source contracts get what is set, and else what these say: none. */
  private static Defaults defaults(Lookup lookup, PolicyDefaults policies) {
    Overlap overlap =
        lookup
            .find(Setting.DEFAULT_OVERLAP)
            .map(found -> found.read(word -> Texts.word(Overlap.Rule.class, word)))
            .map(policies::overlap)
            .orElse(Overlap.SKIP);
    Jitter jitter =
        lookup
            .find(Setting.DEFAULT_JITTER)
            .map(found -> found.read(text -> Jitter.around(found.duration())))
            .orElse(Jitter.NONE);
    return new Defaults(overlap, catchUp(lookup, CatchUp.skip()), jitter);
  }

  private static CatchUp catchUp(Lookup lookup, CatchUp usual) {
    CatchUp catchUp =
        lookup.find(Setting.DEFAULT_CATCH_UP).map(found -> found.read(usual::called)).orElse(usual);
    catchUp =
        count(lookup, Setting.CATCH_UP_LIMIT, CatchUp.LARGEST_LIMIT)
            .map(catchUp::limit)
            .orElse(catchUp);
    CatchUp graced = catchUp;
    catchUp =
        lookup
            .find(Setting.DEFAULT_GRACE)
            .map(found -> found.read(text -> graced.grace(found.duration())))
            .orElse(graced);
    CatchUp aged = catchUp;
    return lookup
        .find(Setting.DEFAULT_MAX_AGE)
        .map(
            found ->
                found.value().equals(ANY_AGE)
                    ? aged.anyAge()
                    : found.read(text -> aged.maxAge(found.duration())))
        .orElse(aged);
  }

  private static Optional<Integer> count(Lookup lookup, Setting setting, int most) {
    return lookup.find(setting).map(found -> found.whole(1, most, "a number from 1 to " + most));
  }

  /** Return how long a stop waits for running work. */
  public Duration drain() {
    return durations.getOrDefault(Setting.DRAIN, DEFAULT_DRAIN);
  }

  /** Tell {@code builder} what is set. */
  CarillonBuilder applyTo(CarillonBuilder builder) {
    TIMES.forEach(
        (time, setter) ->
            Optional.ofNullable(durations.get(time))
                .ifPresent(length -> setter.accept(builder, length)));
    concurrency.ifPresent(builder::concurrency);
    nodeName.ifPresent(builder::nodeName);
    catchUpPerTick.ifPresent(builder::catchUpPerTick);
    return builder
        .allowedZones(zones)
        .defaultCatchUp(policies.catchUp())
        .queueLimit(policies.queueLimit());
  }
}
