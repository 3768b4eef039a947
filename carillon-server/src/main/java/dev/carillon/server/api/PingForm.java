package dev.carillon.server.api;

import dev.carillon.PingDraft;
import dev.carillon.definition.DefinitionFields;
import dev.carillon.policy.PingExpectation;
import dev.carillon.server.read.JsonFields;
import dev.carillon.time.Cron;
import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * How a check on work that pings is given.
 *
 * @param timings how a cron expression is read
 */
record PingForm(TimingForm timings) {
  Optional<PingDraft> read(JsonFields fields, String key) {
    fields.require("expect", "say when it is to succeed, such as {\"successEvery\": \"P1D\"}");
    Optional<PingExpectation> expect =
        fields.object("expect").flatMap(expected -> expectation(expected, key));
    Optional<String> escalateTo = fields.text("escalateTo");
    Optional<String> description = DefinitionFields.DESCRIPTION.read(fields);
    Optional<List<String>> tags = DefinitionFields.TAGS.read(fields);
    return expect.flatMap(
        when ->
            fields.tried(
                "key",
                () ->
                    new PingDraft(
                        key, when, escalateTo, description.orElse(""), tags.orElse(List.of()))));
  }

  private Optional<PingExpectation> expectation(JsonFields fields, String key) {
    Optional<Duration> every = fields.duration("successEvery");
    Optional<Duration> grace = fields.duration("grace");
    ZoneId zone = timings.delayZone(fields);
    Optional<Cron> cron =
        fields
            .text("cron")
            .flatMap(expression -> fields.tried("cron", () -> cron(expression, zone, key)));
    if (fields.has("zone") && !fields.has("cron")) {
      fields.error("zone", "a zone goes with cron; leave it out");
    }
    if (!fields.fine()) {
      return Optional.empty();
    }
    return fields.tried(
        "successEvery", () -> new PingExpectation(every, cron, grace.orElse(Duration.ZERO)));
  }

  private static Cron cron(String expression, ZoneId zone, String key) {
    if (TimingForm.parsed(expression, zone, key) instanceof Cron cron) {
      return cron;
    }
    throw new InvalidValueException("write an interval as successEvery, such as PT15M");
  }
}
