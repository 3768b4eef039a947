package dev.carillon.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.targets.guard.Cidr;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is read of headers takes time in proportion to their length. The texts are so long that work
 * which grows with the square of it would take many seconds.
 */
class HostileTextTest {
  private static final int LENGTH = 200_000;
  private static final Duration MAX_CPU = Duration.ofSeconds(2);

  private static final TrustedProxies PROXIES = TrustedProxies.parse("10.0.0.0/8");

  static Stream<String> units() {
    return Stream.of(
        " ",
        ":",
        ".",
        ",",
        ";",
        "=",
        "\"",
        "\\",
        "\\\"",
        "a",
        "1",
        "0",
        "a=",
        "a=\"",
        ";q=0",
        ";q=0.",
        ";q=0.0",
        "q=0.0;",
        "for=\"",
        "for=\"\\",
        "[",
        "::",
        "[:",
        "1.",
        ";;a",
        "; a",
        "*/*,");
  }

  @ParameterizedTest
  @MethodSource("units")
  void headers_are_read_in_time_proportional_to_their_length(String unit) {
    for (String end : new String[] {"", "x", "\"", " x", "\u00e9"}) {
      String text = unit.repeat(LENGTH / unit.length()) + end;
      long begun = cpu();
      PROXIES.client("10.0.0.1", Optional.of(text), Optional.of(text));
      PROXIES.client("10.0.0.1", Optional.of("[" + text + "]:80"), Optional.of("for=\"" + text));
      Cidr.literal(text);
      accepted(text);
      Request.of("GET", "/").header("Accept", text).header("Content-Type", text);

      assertThat(Duration.ofNanos(cpu() - begun)).as(unit).isLessThan(MAX_CPU);
    }
  }

  @Test
  void a_refused_media_type_is_recognized_in_every_notation() {
    assertThat(accepted("application/json;q=0")).isFalse();
    assertThat(accepted("application/json; q=0.000")).isFalse();
    assertThat(accepted("application/json;q=0.;x=y")).isFalse();
    assertThat(accepted("application/json;q=0.1")).isTrue();
    assertThat(accepted("application/json;aq=0")).isTrue();
  }

  @Test
  void very_many_headers_are_read_in_time_proportional_to_their_number() {
    var headers = new HashMap<String, String>();
    for (int i = 0; i < 100_000; i++) {
      headers.put("h" + i, "v");
    }
    long begun = cpu();
    Request.of("GET", "/").headers(headers);

    assertThat(Duration.ofNanos(cpu() - begun)).isLessThan(MAX_CPU);
  }

  private static boolean accepted(String accept) {
    Route route =
        Route.get("/bell", Role.OPEN, "ring")
            .summary("Ring")
            .answers(200, "Any", request -> Reply.done());
    try {
      MediaTypes.check(Request.of("GET", "/bell").header("Accept", accept), route);
      return true;
    } catch (ProblemException refused) {
      return false;
    }
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
