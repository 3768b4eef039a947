package dev.carillon.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Gen;
import dev.carillon.fixture.Property;
import dev.carillon.model.Definition;
import dev.carillon.model.Payload;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Pacing;
import dev.carillon.policy.Recovery;
import dev.carillon.policy.Retry;
import dev.carillon.policy.RunPolicy;
import dev.carillon.time.Cron;
import dev.carillon.time.DstGap;
import dev.carillon.time.DstOverlap;
import dev.carillon.time.Every;
import dev.carillon.time.Jitter;
import dev.carillon.time.Once;
import dev.carillon.time.Timing;
import dev.carillon.time.Window;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DefinitionFieldsTest {
  private static final String KEY = "nightly";

  @ParameterizedTest
  @CsvSource({"SKIP, 10000", "ONCE, 10000", "ALL, 100", "SPREAD, 100"})
  void a_catch_up_stored_without_a_limit_or_a_grace_has_those_it_was_stored_with(
      CatchUp.Mode mode, int limit) {
    String json =
        """
        {"timing":{"cron":"@daily"},"catchUp":{"mode":"%s"}}"""
            .formatted(mode.name().toLowerCase(Locale.ROOT));

    assertThat(DefinitionFields.restore("key", "log", Payload.EMPTY, json, List.of()).catchUp())
        .isEqualTo(new CatchUp(mode, limit, Optional.empty(), Duration.ofSeconds(10)));
  }

  @Test
  void every_part_of_a_definition_is_a_field() {
    List<String> parts =
        Stream.concat(
                Stream.of(Definition.class.getRecordComponents()),
                Stream.of(RunPolicy.class.getRecordComponents()))
            .map(RecordComponent::getName)
            .filter(name -> !Set.of("pacing", "policy", "attemptsBefore").contains(name))
            .toList();

    assertThat(DefinitionFields.ALL).extracting(DefinitionField::name).containsAll(parts);
  }

  @Test
  void each_field_that_differs_is_a_change() {
    Definition before = plain(Cron.parse("@daily"));
    Definition after =
        before.with(
            definition -> {
              definition.overlap = Overlap.queue(5);
              definition.policy = definition.policy.timeout(Duration.ofDays(1));
            });

    assertThat(DefinitionFields.changes(before, after))
        .containsExactly(
            new FieldChange("overlap", "skip", "queue"),
            new FieldChange("queueLimit", null, 5L),
            new FieldChange("timeout", null, "P1D"));
    assertThat(DefinitionFields.changes(before, before)).isEmpty();
  }

  @Test
  void what_is_at_its_default_is_left_out() {
    assertThat(DefinitionFields.store(plain(Cron.parse("@daily"))))
        .isEqualTo("{\"timing\":{\"cron\":\"@daily\"}}");
    assertThat(DefinitionFields.store(plain(Every.of(Duration.ofSeconds(30)))))
        .isEqualTo("{\"timing\":{\"every\":\"PT30S\"}}");
    assertThat(DefinitionFields.store(plain(new Once(Instant.parse("2026-03-01T10:00:00Z")))))
        .isEqualTo("{\"timing\":{\"at\":\"2026-03-01T10:00:00Z\"}}");
  }

  @Test
  void names_are_those_of_the_rest_contract() {
    var definition =
        new Definition.Builder(
            "report", Cron.parse("H 2 * * *", ZoneId.of("Europe/Rome"), KEY).withGap(DstGap.SKIP));
    definition.payload = Payload.of("to", "ops");
    definition.window = Window.from(Instant.parse("2026-01-01T00:00:00Z"));
    definition.jitter = Jitter.after(Duration.ofSeconds(10));
    definition.overlap = Overlap.queue(5);
    definition.catchUp = CatchUp.once().limit(10).maxAge(Duration.ofDays(1));
    definition.policy =
        new RunPolicy(Retry.times(3), Recovery.FAIL, Optional.of(Duration.ofMinutes(10)), 5);
    definition.maxRuns = 7;
    definition.description = "why";
    definition.tags = List.of("reports");

    assertThat(DefinitionFields.store(definition.build()))
        .isEqualTo(
            """
            {"timing":{"cron":"H 2 * * *","zone":"Europe/Rome","dstGap":"skip"},\
            "window":{"from":"2026-01-01T00:00:00Z"},"jitter":"PT10S","jitterMode":"after",\
            "overlap":"queue","queueLimit":5,\
            "catchUp":{"mode":"once","limit":10,"maxAge":"PT24H"},\
            "retry":{"attempts":3,"backoff":"PT2S","factor":2.0,"maxBackoff":"PT5M"},\
            "recovery":"fail","timeout":"PT10M","pauseAfterFailures":5,"maxRuns":7,\
            "description":"why"}""");
  }

  @Property(cases = 2_000)
  void what_is_written_is_read_back(Gen any) {
    Definition definition = definition(any);

    String json = DefinitionFields.store(definition);
    Definition read =
        DefinitionFields.restore(
            KEY, definition.target(), definition.payload(), json, definition.tags());

    assertThat(read).isEqualTo(definition);
    assertThat(DefinitionFields.store(read)).isEqualTo(json);
  }

  private static Definition definition(Gen any) {
    Timing timing = timing(any);
    var definition = new Definition.Builder(any.text(10), timing);
    definition.payload = Payload.of("n", any.number(0, 99));
    definition.pacing = timing instanceof Every && any.percent(50) ? Pacing.FINISH : Pacing.SLOT;
    definition.window = window(any);
    definition.jitter =
        new Jitter(
            Duration.ofMillis(any.oneOf(0L, 1L, 90_061_001L)), any.oneOf(Jitter.Mode.values()));
    definition.overlap =
        any.oneOf(
            Overlap.SKIP,
            Overlap.ALLOW,
            Overlap.QUEUE,
            Overlap.queue(any.number(1, 10_000)),
            Overlap.QUEUE_ONE,
            Overlap.CANCEL_PREVIOUS);
    definition.catchUp =
        new CatchUp(
            any.oneOf(CatchUp.Mode.values()),
            any.oneOf(100, 1, 10_000),
            any.oneOf(Optional.empty(), Optional.of(Duration.ofMillis(1_500))),
            any.oneOf(Duration.ofSeconds(10), any.upTo(Duration.ofDays(2))));
    definition.policy =
        new RunPolicy(
            any.oneOf(
                Retry.NONE,
                Retry.times(any.number(1, 1_000)),
                Retry.times(2)
                    .backoff(Duration.ofMillis(1))
                    .factor(1 + any.number(0, 999) / 7.0e2)),
            any.oneOf(Recovery.values()),
            any.oneOf(Optional.empty(), Optional.of(Duration.ofNanos(1_000_001))),
            any.oneOf(0, 1, Integer.MAX_VALUE));
    if (any.percent(20)) {
      definition.policy = definition.policy.template("UTC");
    }
    definition.maxRuns = any.oneOf(0L, 1L, Long.MAX_VALUE / 10);
    definition.description = any.text(30);
    definition.tags = any.oneOf(List.of(), List.of("a"), List.of("a", any.text(9), "\"{}"));
    return definition.build();
  }

  private static Timing timing(Gen any) {
    return switch (any.number(0, 2)) {
      case 0 -> new Once(any.instant());
      case 1 ->
          new Every(
              Duration.ofSeconds(any.number(1L, 3_000_000_000L)),
              any.oneOf(Instant.EPOCH, any.instant().truncatedTo(ChronoUnit.SECONDS)));
      default ->
          Cron.parse(
                  any.oneOf(
                      "0 2 * * *", "@daily", "H H(0-7) * * *", "*/5 * * * * *", "0 0 0 L * ? 2099"),
                  ZoneId.of(any.oneOf("UTC", "Europe/Rome", "Australia/Lord_Howe")),
                  KEY)
              .withGap(any.oneOf(DstGap.values()))
              .withOverlap(any.oneOf(DstOverlap.values()));
    };
  }

  private static Window window(Gen any) {
    Instant from = any.instant();
    return any.oneOf(
        Window.ALWAYS,
        Window.from(from),
        Window.until(from),
        new Window(from, from.plusSeconds(1)));
  }

  private static Definition plain(Timing timing) {
    return new Definition.Builder("report", timing).build();
  }
}
