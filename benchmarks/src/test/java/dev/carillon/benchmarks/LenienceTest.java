package dev.carillon.benchmarks;

import static dev.carillon.benchmarks.Peer.CRON_UTILS;
import static dev.carillon.benchmarks.Peer.QUARTZ;
import static dev.carillon.benchmarks.Peer.SPRING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.time.Cron;
import dev.carillon.time.CronSyntaxException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Expressions Carillon refuses, and the peers known to take them. */
class LenienceTest {

  private static final ZoneId UTC = ZoneId.of("UTC");

  /** An expression that must be refused, and the peers that do not. */
  record Refused(String expression, Set<Peer> acceptedBy) {
    static Refused by(String expression, Peer... peers) {
      var accepting = EnumSet.noneOf(Peer.class);
      accepting.addAll(Arrays.asList(peers));
      return new Refused(expression, accepting);
    }
  }

  static Stream<Refused> refused() {
    return Stream.of(
        Refused.by("/15 * * * *", QUARTZ, CRON_UTILS),
        Refused.by("60 * * * *"),
        Refused.by("0 24 * * *"),
        Refused.by("0 0 0 * *"),
        Refused.by("0 0 32 * *"),
        Refused.by("0 0 * * 8"),
        Refused.by("0 0 * * MON#6", SPRING),
        Refused.by("0 0 * * 1#0"),
        Refused.by("0 0 L-31 * *", SPRING),
        Refused.by("5, * * * *", QUARTZ),
        Refused.by("1,,2 * * * *", QUARTZ),
        Refused.by("1--3 * * * *"),
        Refused.by("-1 * * * *"),
        Refused.by("1.5 * * * *", QUARTZ),
        Refused.by("99999999999 * * * *"),
        Refused.by("0 0 1 january *", QUARTZ),
        Refused.by("0 0 * * monday", QUARTZ),
        Refused.by("0 0 1-5W * *", QUARTZ),
        Refused.by("0 0 * * MON-FRI#2", QUARTZ),
        Refused.by("0 0 15w * *", QUARTZ),
        Refused.by("0 0 l * *", QUARTZ),
        Refused.by("? * * * *"),
        Refused.by("* * * *"),
        Refused.by("0 0 0 1 1 * 2026 *"),
        Refused.by("0~30 * * * *", QUARTZ),
        Refused.by("*/0 * * * *", QUARTZ),
        Refused.by("*/61 * * * *", SPRING),
        Refused.by("0 0 */40 * *", SPRING),
        Refused.by("0 22-2 * * *", QUARTZ),
        Refused.by("0 0 * * FRI-MON", QUARTZ),
        Refused.by("@reboot"),
        Refused.by("@DAILY", SPRING),
        Refused.by("0 0 0 1 1 * 1969", QUARTZ));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void what_carillon_refuses_only_the_known_peers_accept(Refused refused) {
    String expression = refused.expression();
    assertThatThrownBy(() -> Cron.parse(expression, UTC)).isInstanceOf(CronSyntaxException.class);
    assertThat(Stream.of(SPRING, QUARTZ, CRON_UTILS).filter(peer -> accepts(peer, expression)))
        .containsExactlyInAnyOrderElementsOf(refused.acceptedBy());
  }

  private static boolean accepts(Peer peer, String expression) {
    try {
      peer.read(translate(peer, expression), ZoneOffset.UTC);
      return true;
    } catch (RuntimeException refusal) {
      return false;
    }
  }

  /** Add the seconds and the question mark where the peer wants them. */
  private static String translate(Peer peer, String expression) {
    boolean five = expression.split(" ", -1).length == 5;
    String[] fields = (five && peer.hasSeconds() ? "0 " + expression : expression).split(" ", -1);
    if (peer == QUARTZ && fields.length > 5) {
      fields[fields[5].equals("*") ? 5 : 3] = "?";
    }
    return String.join(" ", fields);
  }
}
