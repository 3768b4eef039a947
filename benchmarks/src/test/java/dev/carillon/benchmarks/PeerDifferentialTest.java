package dev.carillon.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.time.Cron;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Puts the same questions to Carillon and to a peer and demands a known reason for every
 * difference; where they agree, they must still agree with the dialect.
 *
 * <p>{@code -Dcomparisons=1000000} asks more questions, {@code -Dseed=…} asks others.
 */
class PeerDifferentialTest {

  private static final int COMPARISONS = Integer.getInteger("comparisons", 25_000);
  private static final long SEED = Long.getLong("seed", 20_260_101);
  private static final int FIRES = 5;
  private static final int SHOWN = 10;

  private static final Instant FIRST = Instant.parse("2020-01-01T00:00:00Z");
  private static final Duration SPAN = Duration.ofDays(12 * 365);

  private static final List<ZoneId> ZONES =
      List.of(
          ZoneId.of("UTC"),
          ZoneId.of("Asia/Kolkata"),
          ZoneId.of("America/New_York"),
          ZoneId.of("Europe/Rome"),
          ZoneId.of("Europe/London"),
          ZoneId.of("Africa/Cairo"), // gap at midnight, overlap back into the day before
          ZoneId.of("America/Havana"), // overlap at midnight
          ZoneId.of("America/Santiago"),
          ZoneId.of("America/St_Johns"), // half-hour offset
          ZoneId.of("Africa/Casablanca"), // summer time interrupted for Ramadan
          ZoneId.of("Antarctica/Troll"), // two hours
          ZoneId.of("Asia/Beirut"),
          ZoneId.of("Australia/Lord_Howe"), // half an hour
          ZoneId.of("Pacific/Chatham")); // at a quarter to the hour

  private final Random random = new Random(SEED);
  private final Map<Difference, Integer> met = new EnumMap<>(Difference.class);
  private final List<String> unexplained = new ArrayList<>();

  @ParameterizedTest
  @EnumSource
  void every_difference_from_a_peer_has_a_known_reason(Peer peer) {
    var crons = new CommonCrons(random, peer);
    int asked = 0;
    while (asked < COMPARISONS) {
      asked += walk(peer, crons.next(), ZONES.get(random.nextInt(ZONES.size())));
    }
    System.out.println(peer + ": " + asked + " comparisons, seed " + SEED + ", differences " + met);
    assertThat(unexplained.stream().limit(SHOWN))
        .as("%d unexplained differences; replay with -Dseed=%d", unexplained.size(), SEED)
        .isEmpty();
  }

  /** Compare a few fires in a row, always asking from Carillon's last answer. */
  private int walk(Peer peer, PlainCron cron, ZoneId zone) {
    Cron ours = Cron.parse(cron.toString(), zone);
    Peer.Fires theirs = peer.read(peer.write(cron), zone);
    Instant after = start(zone);
    for (int asked = 1; asked <= FIRES; asked++) {
      Optional<Instant> next = ours.next(after);
      judge(new Comparison(peer, cron, zone, after, next, theirs.next(after)));
      if (next.isEmpty()) {
        return asked;
      }
      after = next.get();
    }
    return FIRES;
  }

  private void judge(Comparison comparison) {
    if (!comparison.oursIsRight()) {
      unexplained.add("against our own dialect: " + comparison);
    } else if (!comparison.agrees()) {
      Difference.of(comparison)
          .ifPresentOrElse(
              difference -> met.merge(difference, 1, Integer::sum),
              () -> unexplained.add("no known reason: " + comparison));
    }
  }

  /** Pick a start; every other one lies less than a day from a change of the clocks. */
  private Instant start(ZoneId zone) {
    Instant anywhere = FIRST.plusSeconds(random.nextLong(SPAN.toSeconds()));
    var transition = zone.getRules().nextTransition(anywhere);
    return transition == null || random.nextBoolean()
        ? anywhere
        : transition.getInstant().plusSeconds(random.nextLong(-20 * 3600, 10 * 3600));
  }
}
