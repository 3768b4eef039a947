package dev.carillon.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemoteClockTest {
  private static final Instant ASKED = Instant.parse("2027-03-26T12:00:00.900Z");
  private static final Instant ANSWERED = Instant.parse("2027-03-26T12:00:01.100Z");

  @ParameterizedTest
  @CsvSource({
    "2027-03-26T12:00:01Z, PT0S, PT0S",
    "2027-03-26T12:00:03.100Z, PT0S, PT2S",
    "2027-03-26T11:59:59.900Z, PT0S, -PT1S",
    "2027-03-26T12:00:00Z, PT1S, PT0S",
    "2027-03-26T11:59:59Z, PT1S, -PT0.9S"
  })
  void only_what_the_way_and_the_rounding_cannot_explain_is_skew(
      Instant shown, Duration coarse, Duration skew) {
    assertThat(new RemoteClock(ASKED, ANSWERED, shown, coarse).skew()).isEqualTo(skew);
  }

  @Test
  void a_skew_that_matters_is_told_with_what_to_do() {
    Finding finding =
        new RemoteClock(ASKED, ANSWERED, ANSWERED.plusMillis(2300), Duration.ZERO)
            .judge("database clock", "the database");

    assertThat(finding.level()).isEqualTo("warn");
    assertThat(finding.said())
        .isEqualTo("the clock of the database is 2.3 s ahead of this machine's");
    assertThat(finding.cure()).contains("NTP");
  }
}
