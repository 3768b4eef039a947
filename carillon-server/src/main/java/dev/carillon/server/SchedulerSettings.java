package dev.carillon.server;

import dev.carillon.CarillonBuilder;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.PolicyDefaults;
import dev.carillon.server.api.Defaults;
import dev.carillon.time.AllowedZones;
import dev.carillon.time.DurationText;
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

  static SchedulerSettings from(SettingSources sources) {
    var durations = new TreeMap<Setting, Duration>();
    TIMES
        .keySet()
        .forEach(
            time -> sources.find(time).ifPresent(value -> durations.put(time, value.duration())));
    PolicyDefaults policies = policies(sources);
    return new SchedulerSettings(
        durations,
        sources.whole(Setting.CONCURRENCY, 1, 100_000),
        sources.text(Setting.NODE_NAME),
        zones(sources),
        sources.whole(Setting.CATCH_UP_PER_TICK, 1, CatchUp.MAX_LIMIT),
        policies,
        defaults(sources, policies));
  }

  private static AllowedZones zones(SettingSources sources) {
    return sources
        .read(
            Setting.ALLOWED_ZONES,
            list -> AllowedZones.of(Arrays.stream(list.split(",", -1)).map(String::strip).toList()))
        .orElse(AllowedZones.ALL);
  }

  private static PolicyDefaults policies(SettingSources sources) {
    PolicyDefaults usual = PolicyDefaults.BUILT_IN;
    return new PolicyDefaults(
        catchUp(sources, usual.catchUp()),
        sources.whole(Setting.QUEUE_LIMIT, 1, Overlap.MAX_QUEUE).orElse(usual.queueLimit()));
  }

  /* The source contracts get what is set, and else what they say themselves: no catch-up. */
  private static Defaults defaults(SettingSources sources, PolicyDefaults policies) {
    Overlap overlap =
        sources
            .word(Setting.DEFAULT_OVERLAP, Overlap.Rule.class)
            .map(policies::overlap)
            .orElse(Overlap.SKIP);
    Jitter jitter =
        sources
            .read(Setting.DEFAULT_JITTER, text -> Jitter.around(DurationText.parse(text)))
            .orElse(Jitter.NONE);
    return new Defaults(overlap, catchUp(sources, CatchUp.skip()), jitter);
  }

  private static CatchUp catchUp(SettingSources sources, CatchUp usual) {
    CatchUp named = sources.read(Setting.DEFAULT_CATCH_UP, usual::called).orElse(usual);
    CatchUp limited =
        sources.whole(Setting.CATCH_UP_LIMIT, 1, CatchUp.MAX_LIMIT).map(named::limit).orElse(named);
    CatchUp graced =
        sources
            .read(Setting.DEFAULT_GRACE, text -> limited.grace(DurationText.parse(text)))
            .orElse(limited);
    return sources
        .read(
            Setting.DEFAULT_MAX_AGE,
            text ->
                text.equals(ANY_AGE) ? graced.anyAge() : graced.maxAge(DurationText.parse(text)))
        .orElse(graced);
  }

  /** Return how long a stop waits for running work. */
  public Duration drain() {
    return durations.getOrDefault(Setting.DRAIN, DEFAULT_DRAIN);
  }

  /** Apply to {@code builder} what is set. */
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
