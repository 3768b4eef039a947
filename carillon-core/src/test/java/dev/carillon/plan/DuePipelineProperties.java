package dev.carillon.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Property;
import dev.carillon.time.DueRule;
import dev.carillon.time.Jitter;
import dev.carillon.time.Timing;
import dev.carillon.time.business.BusinessGen;
import dev.carillon.time.business.CalendarRule;
import dev.carillon.time.business.DueRules;
import dev.carillon.time.business.QuietHours;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The law of due times after all that moves them. */
class DuePipelineProperties {
  @Property(cases = 4_000)
  void a_due_time_after_jitter_is_still_in_allowed_time(BusinessGen any) {
    Timing timing = any.timing();
    QuietHours quiet = any.quietHours();
    Optional<CalendarRule> calendar = any.maybeRule();
    DueRule rule = DueRules.of(calendar, any.percent(70) ? List.of(quiet) : List.of());
    Duration amount = any.upTo(Duration.ofHours(any.oneOf(1, 12, 100)));
    Jitter jitter = any.percent(50) ? Jitter.around(amount) : Jitter.after(amount);
    Standing standing = Given.timing(timing).jitter(jitter).standing();
    var pipeline = new DuePipeline(standing.key(), standing.definition(), rule);

    Optional<Instant> slot = timing.next(any.instantNear(quiet));
    for (int i = 0; i < 5 && slot.isPresent(); i++) {
      SlotDue judged = pipeline.judge(slot.get());
      if (judged.runs()) {
        assertThat(rule.allows(judged.due())).as("%s by %s", judged, rule).isTrue();
        assertThat(rule.allows(judged.dueAt())).as("%s by %s", judged, rule).isTrue();
        assertThat(Duration.between(judged.due(), judged.dueAt()).abs())
            .isLessThanOrEqualTo(amount);
        assertThat(jitter.mode() == Jitter.Mode.AROUND || !judged.dueAt().isBefore(judged.due()))
            .isTrue();
      }
      slot = timing.next(slot.get());
    }
  }
}
