package dev.carillon.server.api.compat;

import dev.carillon.ScheduleDraft;
import dev.carillon.model.Definition;
import dev.carillon.model.Payload;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Recovery;
import dev.carillon.server.api.Expressions;
import dev.carillon.server.api.TargetLabels;
import dev.carillon.server.api.TimingForm;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.read.JsonFields;
import dev.carillon.time.Once;
import dev.carillon.time.Timing;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a cron job is given.
 *
 * @param targets the labels it may name
 * @param timings how it says when
 */
public record CronJobForm(TargetLabels targets, TimingForm timings) {
  private static final List<String> TIMING =
      List.of("scheduleType", "cronExpression", "runAt", "timezone");

  /** How often a job runs. */
  enum Type {
    ONE_TIME,
    RECURRING
  }

  /**
   * What a job says.
   *
   * @param target what runs
   * @param payload what it is given
   * @param timing when
   */
  record Given(Optional<String> target, Optional<Payload> payload, Optional<Timing> timing) {
    /** Return {@code draft} with all that is said. */
    ScheduleDraft apply(ScheduleDraft draft) {
      ScheduleDraft aimed = target.map(draft::target).orElse(draft);
      ScheduleDraft filled = aimed.payload(payload.orElse(Payload.EMPTY));
      return timing.map(filled::timing).orElse(filled);
    }

    /** Return the same, but let the timing be what it was. */
    Given withoutTiming() {
      return new Given(target, payload, Optional.empty());
    }
  }

  /**
   * Draft a job that says nothing yet: a run whose node dies has failed, and is not run again, and
   * what was missed is not made up for.
   */
  static ScheduleDraft blank(String key) {
    return ScheduleDraft.named(key).recovery(Recovery.FAIL).catchUp(CatchUp.skip());
  }

  /** Read a new job; what is wrong with it is known to {@code fields}. */
  Optional<ScheduleDraft> readAnew(JsonFields fields) {
    Optional<ScheduleDraft> blank =
        fields
            .needed("jobKey", "say what the job is called")
            .flatMap(key -> fields.tried("jobKey", () -> blank(key)));
    Given given = read(fields, blank.map(ScheduleDraft::key).orElse(""));
    return fields.fine() ? blank.map(given::apply) : Optional.empty();
  }

  /** Read what the job called {@code key} says. */
  Given read(JsonFields fields, String key) {
    return new Given(targets.read(fields), fields.payload("payload"), timing(fields, key));
  }

  /** Return the fields of {@code before} as {@code changes} replace them. */
  static Map<String, @Nullable Object> merged(
      Definition before, Map<String, @Nullable Object> changes) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("target", before.target());
    fields.put("payload", before.payload().content());
    fields.putAll(timing(before.timing()));
    if (changes.get("scheduleType") instanceof String type
        && !type.equals(fields.get("scheduleType"))) {
      TIMING.forEach(fields::remove);
    }
    fields.putAll(changes);
    return fields;
  }

  /** Return whether {@code changes} say anything about when a job runs. */
  static boolean retimes(Map<String, @Nullable Object> changes) {
    return TIMING.stream().anyMatch(changes::containsKey);
  }

  /** Return the name of the field that says when a job runs. */
  static String when(JsonFields fields) {
    return fields.has("runAt") ? "runAt" : "cronExpression";
  }

  static Map<String, @Nullable Object> timing(Timing timing) {
    boolean once = timing instanceof Once;
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("scheduleType", ContractText.word(once ? Type.ONE_TIME : Type.RECURRING));
    fields.put("cronExpression", Expressions.of(timing).orElse(null));
    fields.put("runAt", timing instanceof Once at ? ContractText.of(at.at()) : null);
    fields.put("timezone", Expressions.zone(timing));
    return fields;
  }

  private Optional<Timing> timing(JsonFields fields, String key) {
    fields.require("scheduleType", "say how often it runs: one_time or recurring");
    Optional<Type> type = fields.word("scheduleType", Type.class);
    Optional<String> expression = fields.text("cronExpression");
    fields.instant("runAt");
    ZoneId zone = timings.zone(fields, "timezone", TimingForm.UTC);
    if (type.isEmpty()) {
      return Optional.empty();
    }
    if (type.get() == Type.ONE_TIME) {
      fields.require("runAt", "a one_time job needs runAt, such as 2026-02-21T15:00:00Z");
      none(fields, "cronExpression", "a one_time job has no cronExpression; leave it out");
      return timings.once(fields, "runAt", "timezone");
    }
    fields.require("cronExpression", "a recurring job needs cronExpression, such as */5 * * * *");
    none(fields, "runAt", "a recurring job has no runAt; leave it out");
    return expression.flatMap(
        text -> fields.tried("cronExpression", () -> TimingForm.parsed(text, zone, key)));
  }

  private static void none(JsonFields fields, String name, String otherwise) {
    if (fields.has(name)) {
      fields.error(name, otherwise);
    }
  }
}
