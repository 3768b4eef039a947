package dev.carillon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.carillon.model.Definition;
import dev.carillon.model.Payload;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Pacing;
import dev.carillon.policy.PolicyDefaults;
import dev.carillon.policy.Recovery;
import dev.carillon.policy.Retry;
import dev.carillon.time.Cron;
import dev.carillon.time.DstGap;
import dev.carillon.time.DstOverlap;
import dev.carillon.time.Every;
import dev.carillon.time.Jitter;
import dev.carillon.time.Once;
import dev.carillon.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScheduleDraftTest {
  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");

  private static final PolicyDefaults BUILT_IN = PolicyDefaults.BUILT_IN;

  private final ScheduleDraft draft = ScheduleDraft.named("nightly").target("report");

  @Test
  void a_draft_needs_a_target_and_a_timing_and_nothing_else() {
    Definition definition = draft.cron("0 2 * * *", "Europe/Rome").definition(NOW, BUILT_IN);

    assertThat(definition.target()).isEqualTo("report");
    assertThat(definition.timing()).isEqualTo(Cron.parse("0 2 * * *", ZoneId.of("Europe/Rome")));
    assertThat(definition.overlap()).isEqualTo(Overlap.SKIP);
    assertThat(definition.catchUp()).isEqualTo(BUILT_IN.catchUp());
  }

  @Test
  void what_was_missed_of_a_cron_timing_or_a_one_shot_runs_once_unless_it_is_old() {
    CatchUp once =
        new CatchUp(
            CatchUp.Mode.ONCE,
            CatchUp.MAX_LIMIT,
            Optional.of(Duration.ofDays(1)),
            Duration.ofMinutes(5));

    assertThat(catchUp(draft.cron("@daily"))).isEqualTo(once);
    assertThat(catchUp(draft.at(NOW.plusSeconds(60)))).isEqualTo(once);
    assertThat(catchUp(draft.in(Duration.ofMinutes(1)))).isEqualTo(once);
    assertThat(catchUp(draft.every(Period.ofMonths(1), ZoneId.of("UTC")))).isEqualTo(once);
  }

  @Test
  void what_was_missed_of_an_interval_is_skipped_however_it_is_written() {
    assertThat(catchUp(draft.every(Duration.ofMinutes(1)))).isEqualTo(CatchUp.skip());
    assertThat(catchUp(draft.cron("@every 90s"))).isEqualTo(CatchUp.skip());
  }

  @Test
  void catch_up_that_is_said_outweighs_what_is_usual_as_a_whole_or_in_part() {
    ScheduleDraft daily = draft.cron("@daily");

    assertThat(catchUp(daily.catchUp(CatchUp.skip()))).isEqualTo(CatchUp.skip());
    assertThat(catchUp(daily.catchUp(usual -> usual.mode(CatchUp.Mode.ALL))))
        .isEqualTo(BUILT_IN.catchUp().mode(CatchUp.Mode.ALL));
    assertThat(catchUp(daily.catchUp(CatchUp::anyAge).every(Duration.ofMinutes(1)).cron("@hourly")))
        .isEqualTo(BUILT_IN.catchUp().anyAge());
  }

  @Test
  void a_queue_that_does_not_say_holds_as_many_as_the_scheduler_is_set_to() {
    var usual = new PolicyDefaults(CatchUp.skip(), 7);
    ScheduleDraft daily = draft.cron("@daily");

    assertThat(daily.overlap(Overlap.Rule.QUEUE).definition(NOW, usual).overlap())
        .isEqualTo(Overlap.queue(7));
    assertThat(daily.overlap(Overlap.queue(3)).definition(NOW, usual).overlap())
        .isEqualTo(Overlap.queue(3));
    assertThat(daily.overlap(Overlap.Rule.ALLOW).definition(NOW, usual).overlap())
        .isEqualTo(Overlap.ALLOW);
    assertRefused(
        () -> new PolicyDefaults(CatchUp.skip(), 0), "a queue holds from 1 to 10000 runs; was 0");
  }

  private static CatchUp catchUp(ScheduleDraft draft) {
    return draft.definition(NOW, BUILT_IN).catchUp();
  }

  @Test
  void a_draft_without_target_or_timing_says_what_to_call() {
    assertRefused(
        () -> ScheduleDraft.named("nightly").cron("@daily").definition(NOW, BUILT_IN),
        "schedule 'nightly' has no target; say what runs with target(…)");
    assertRefused(
        () -> draft.definition(NOW, BUILT_IN),
        "schedule 'nightly' has no timing; say when it runs with cron(…), every(…), at(…) or in(…)");
  }

  @Test
  void a_draft_never_changes() {
    ScheduleDraft first = draft.every(Duration.ofSeconds(30));
    ScheduleDraft second = first.description("other").tags("a").maxRuns(3);

    assertThat(first.definition(NOW, BUILT_IN).description()).isEmpty();
    assertThat(first.definition(NOW, BUILT_IN).maxRuns()).isZero();
    assertThat(second.definition(NOW, BUILT_IN).description()).isEqualTo("other");
  }

  @Test
  void a_draft_of_a_definition_defines_the_same() {
    Definition definition =
        draft
            .every(Duration.ofMinutes(5), Instant.parse("2026-01-01T00:02:00Z"))
            .afterFinish()
            .payload(Map.of("to", "ops"))
            .from(NOW)
            .until(NOW.plusSeconds(900))
            .jitter(Jitter.after(Duration.ofSeconds(3)))
            .overlap(Overlap.queue(7))
            .catchUp(CatchUp.all().limit(3))
            .retry(Retry.times(3))
            .recovery(Recovery.FAIL)
            .timeout(Duration.ofMinutes(10))
            .pauseAfterFailures(5)
            .maxRuns(9)
            .description("why")
            .tags("b", "a", "b")
            .definition(NOW, BUILT_IN);

    assertThat(ScheduleDraft.of("nightly", definition).definition(NOW, BUILT_IN))
        .isEqualTo(definition);
    assertThat(definition.tags()).containsExactly("a", "b");
    assertThat(definition.pacing()).isEqualTo(Pacing.FINISH);
    assertThat(definition.window()).isEqualTo(new Window(NOW, NOW.plusSeconds(900)));
  }

  @Test
  void a_delay_counts_from_the_moment_it_is_stored() {
    assertThat(draft.in(Duration.parse("P3D")).definition(NOW, BUILT_IN).timing())
        .isEqualTo(new Once(NOW.plus(Duration.ofDays(3))));
  }

  @Test
  void hashed_terms_are_resolved_for_the_key() {
    Definition parsedHere = draft.cron("H H * * *").definition(NOW, BUILT_IN);
    Definition parsedElsewhere =
        draft
            .timing(Cron.parse("H H * * *").withGap(DstGap.SKIP).withOverlap(DstOverlap.BOTH))
            .definition(NOW, BUILT_IN);

    assertThat(parsedHere.timing()).isEqualTo(Cron.parse("H H * * *", ZoneId.of("UTC"), "nightly"));
    assertThat(parsedElsewhere.timing())
        .isEqualTo(
            Cron.parse("H H * * *", ZoneId.of("UTC"), "nightly")
                .withGap(DstGap.SKIP)
                .withOverlap(DstOverlap.BOTH));
  }

  @Test
  void an_interval_may_be_written_as_a_cron_macro() {
    assertThat(draft.cron("@every 90s").definition(NOW, BUILT_IN).timing())
        .isEqualTo(Every.of(Duration.ofSeconds(90)));
  }

  @Test
  void another_interval_keeps_its_pacing_and_another_timing_loses_it() {
    ScheduleDraft paced = draft.every(Duration.ofSeconds(5)).afterFinish();

    assertThat(paced.every(Duration.ofSeconds(6)).definition(NOW, BUILT_IN).pacing())
        .isEqualTo(Pacing.FINISH);
    assertThat(paced.cron("@daily").definition(NOW, BUILT_IN).pacing()).isEqualTo(Pacing.SLOT);
    assertThat(paced.pacing(Pacing.SLOT).definition(NOW, BUILT_IN).pacing()).isEqualTo(Pacing.SLOT);
  }

  @Test
  void instants_are_kept_in_whole_microseconds_as_postgres_has_them() {
    assertThat(
            draft
                .at(Instant.parse("2026-03-01T00:00:00.123456789Z"))
                .definition(NOW, BUILT_IN)
                .timing())
        .isEqualTo(new Once(Instant.parse("2026-03-01T00:00:00.123456Z")));
  }

  @Test
  void an_unnamed_draft_gets_a_key_of_its_own() {
    String key = ScheduleDraft.unnamed().key();

    assertThat(UUID.fromString(key)).hasToString(key);
    assertThat(ScheduleDraft.unnamed().key()).isNotEqualTo(key);
  }

  @Test
  void at_most_once_is_one_attempt_that_fails_with_its_node() {
    Definition definition = draft.cron("@daily").atMostOnce().definition(NOW, BUILT_IN);

    assertThat(definition.policy().recovery()).isEqualTo(Recovery.FAIL);
    assertThat(definition.policy().retry().attempts()).isEqualTo(1);
  }

  @Test
  void at_most_once_refuses_what_would_run_twice() {
    String cure =
        "a run that happens at most once has one attempt; was 3; leave out atMostOnce() or retry(…)";
    assertRefused(() -> draft.atMostOnce().retry(Retry.times(3)), cure);
    assertRefused(() -> draft.retry(Retry.times(3)).atMostOnce(), cure);
    assertRefused(
        () -> draft.atMostOnce().recovery(Recovery.RESUBMIT),
        "a run that happens at most once is not run again when its node dies; leave out"
            + " atMostOnce() or recovery(RESUBMIT)");
  }

  @Test
  void a_key_is_one_line_without_blanks_around_it() {
    assertRefused(() -> ScheduleDraft.named(""), "a key has 1 to 200 characters; '' has 0");
    assertRefused(
        () -> ScheduleDraft.named("k".repeat(201)),
        "a key has 1 to 200 characters; '" + "k".repeat(60) + "…' has 201");
    assertRefused(
        () -> ScheduleDraft.named(" nightly"),
        "a key neither begins nor ends with a blank; was ' nightly'; remove the blank");
    assertRefused(
        () -> ScheduleDraft.named("night\0ly"),
        "a key has no control characters; was 'night\uFFFDly'; remove what shows as \uFFFD");
    assertRefused(
        () -> ScheduleDraft.named("night\ud800ly"),
        "a key has no control characters; was 'night\uFFFDly'; remove what shows as \uFFFD");
    assertThat(ScheduleDraft.named("Ünïcode 😀 key").key()).isEqualTo("Ünïcode 😀 key");
  }

  @Test
  void targets_and_tags_are_as_careful_as_keys() {
    assertRefused(() -> draft.target(""), "a target has 1 to 200 characters; '' has 0");
    assertRefused(() -> draft.tags("a", ""), "a tag has 1 to 100 characters; '' has 0");
    assertRefused(
        () -> draft.tags(IntStream.range(0, 51).mapToObj(i -> "tag" + i).toList()),
        "a schedule has at most 50 tags; these are 51; put what you do not search by into the"
            + " payload");
  }

  @Test
  void a_description_is_bounded_and_storable() {
    assertRefused(
        () -> draft.description("d".repeat(4001)),
        "a description has at most 4000 characters; this one has 4001; shorten it, or link to"
            + " more");
    assertRefused(
        () -> draft.description("a\0b"),
        "a description must not hold \\u0000 or half of a surrogate pair; remove them");
    assertThat(
            draft.cron("@daily").description("two\nlines").definition(NOW, BUILT_IN).description())
        .isEqualTo("two\nlines");
  }

  @Test
  void a_payload_that_cannot_be_stored_is_refused() {
    assertRefused(
        () -> draft.payload("name", "a\0b"),
        "text must not hold \\u0000 or half of a surrogate pair");
    assertThat(draft.cron("@daily").payload("n", 1).definition(NOW, BUILT_IN).payload())
        .isEqualTo(Payload.json("{\"n\": 1}"));
  }

  @Test
  void instants_outside_our_calendars_are_refused() {
    assertRefused(
        () -> draft.at(Instant.parse("1969-12-31T23:59:59Z")),
        "the time to fire must be from 1970 to 9999; was 1969-12-31T23:59:59Z; check its unit");
    assertRefused(
        () -> draft.from(Instant.ofEpochSecond(1_800_000_000_000L)),
        "the beginning of a window must be from 1970 to 9999; was +59009-09-24T08:00:00Z; check its"
            + " unit");
    assertRefused(
        () -> draft.until(Instant.parse("1969-12-31T00:00:00Z")),
        "the end of a window must be from 1970 to 9999; was 1969-12-31T00:00:00Z; check its unit");
    assertRefused(
        () -> draft.every(Duration.ofSeconds(5), Instant.parse("1960-01-01T00:00:00Z")),
        "an anchor must be from 1970 to 9999; was 1960-01-01T00:00:00Z; check its unit");
  }

  @Test
  void numbers_out_of_range_are_refused() {
    assertRefused(
        () -> draft.in(Duration.ofSeconds(-1)), "a delay must be from 0 to 36525d; was PT-1S");
    assertRefused(() -> draft.maxRuns(-1), "max runs must be at least 1, or 0 for no end; was -1");
    assertRefused(
        () -> draft.pauseAfterFailures(-1),
        "failures before a pause must be at least 1, or 0 for never; was -1");
    assertRefused(
        () -> draft.timeout(Duration.ZERO), "timeout must be from 1 ms to 365d; was PT0S");
    assertThat(
            draft
                .cron("@daily")
                .timeout(Duration.ofSeconds(1))
                .noTimeout()
                .definition(NOW, BUILT_IN)
                .policy()
                .timeout())
        .isEqualTo(Optional.empty());
  }

  @Test
  void only_an_interval_is_measured_from_the_end_of_a_run() {
    assertRefused(
        () -> draft.cron("@daily").afterFinish(),
        "only an interval can be measured from the end of a run; call every(…) before"
            + " afterFinish()");
  }

  @Test
  void an_unknown_zone_is_refused_with_the_one_that_was_meant() {
    assertRefused(
        () -> draft.cron("@daily", "Europe/Roma"),
        "there is no zone 'Europe/Roma'; did you mean Europe/Rome?");
  }

  @Test
  void tags_may_come_as_a_list() {
    assertThat(draft.cron("@daily").tags(List.of("x")).definition(NOW, BUILT_IN).tags())
        .containsExactly("x");
  }

  private static void assertRefused(Runnable call, String message) {
    assertThatIllegalArgumentException().isThrownBy(call::run).withMessage(message);
  }
}
