package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How long before they are due runs are claimed. */
class ClaimLeadTest {
  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");

  private final ClaimLead claimLead = new ClaimLead(Duration.ofMillis(500));

  private Duration length() {
    return Duration.between(NOW, claimLead.until(NOW));
  }

  private void claim(int millis) {
    claimLead.claimed(NOW, NOW.plusMillis(millis), false);
  }

  @Test
  void it_begins_with_a_twentieth_of_the_most() {
    assertThat(length()).isEqualTo(Duration.ofMillis(25));
  }

  @Test
  void it_is_half_as_long_again_as_claiming_took() {
    claim(100);

    assertThat(length()).isEqualTo(Duration.ofMillis(150));
    assertThat(claimLead.before(NOW)).isEqualTo(NOW.minusMillis(150));
  }

  @Test
  void it_is_never_longer_than_the_most() {
    claim(10_000);

    assertThat(length()).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void turns_that_leave_more_to_claim_belong_together() {
    claimLead.claimed(NOW, NOW.plusMillis(40), true);
    claimLead.claimed(NOW.plusMillis(40), NOW.plusMillis(80), true);
    claimLead.claimed(NOW.plusMillis(80), NOW.plusMillis(100), false);

    assertThat(length()).isEqualTo(Duration.ofMillis(150));
  }

  @Test
  void it_shrinks_slowly_and_not_below_the_least() {
    claim(100);
    claim(1);
    assertThat(length()).isEqualTo(Duration.ofMillis(150).multipliedBy(99).dividedBy(100));

    for (int i = 0; i < 1_000; i++) {
      claim(1);
    }
    assertThat(length()).isEqualTo(Duration.ofMillis(25));
  }

  @Test
  void zero_claims_nothing_early() {
    var none = new ClaimLead(Duration.ZERO);
    none.claimed(NOW, NOW.plusSeconds(1), false);

    assertThat(none.until(NOW)).isEqualTo(NOW);
  }
}
