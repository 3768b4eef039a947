package dev.carillon.server.api;

import dev.carillon.ScheduleDraft;
import dev.carillon.definition.CatchUpJson;
import dev.carillon.definition.DefinitionField;
import dev.carillon.definition.DefinitionFields;
import dev.carillon.policy.Overlap;
import dev.carillon.server.read.JsonFields;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * How a schedule is given.
 *
 * @param defaults what it gets where it does not say
 * @param target reads the label of its target
 * @param timings how it says when
 */
record ScheduleForm(
    Defaults defaults, Function<JsonFields, Optional<String>> target, TimingForm timings) {
  /** Read the schedule called {@code key}; what is wrong with it is known to {@code fields}. */
  Optional<ScheduleDraft> read(JsonFields fields, String key) {
    return named(fields, key).map(draft -> filled(fields, draft));
  }

  /** Read a schedule that may name its key itself; one is made up otherwise. */
  Optional<ScheduleDraft> readAnew(JsonFields fields) {
    Optional<ScheduleDraft> draft =
        fields.has("key")
            ? fields.text("key").flatMap(key -> fields.tried("key", () -> ScheduleDraft.named(key)))
            : Optional.of(ScheduleDraft.unnamed());
    ScheduleDraft any = draft.orElseGet(ScheduleDraft::unnamed);
    ScheduleDraft filled = filled(fields, any);
    return draft.map(good -> filled);
  }

  private static Optional<ScheduleDraft> named(JsonFields fields, String key) {
    fields
        .text("key")
        .filter(said -> !said.equals(key))
        .ifPresent(said -> fields.error("key", "must be the key in the path, or be left out"));
    return Optional.of(ScheduleDraft.named(key));
  }

  private ScheduleDraft filled(JsonFields fields, ScheduleDraft named) {
    ScheduleDraft draft = named.jitter(defaults.jitter());
    var own = own();
    for (DefinitionField<?> field : DefinitionFields.ALL) {
      draft = own.getOrDefault(field, (given, so) -> set(given, so, field)).apply(fields, draft);
    }
    return draft;
  }

  /* What depends on more than the field itself. */
  private Map<DefinitionField<?>, BiFunction<JsonFields, ScheduleDraft, ScheduleDraft>> own() {
    return Map.of(
        DefinitionFields.TARGET,
        (fields, draft) -> fields.set(draft, "target", target.apply(fields), ScheduleDraft::target),
        DefinitionFields.TIMING,
        this::timed,
        DefinitionFields.OVERLAP,
        this::overlapping,
        DefinitionFields.QUEUE_LIMIT,
        (fields, draft) -> draft,
        DefinitionFields.CATCH_UP,
        ScheduleForm::catchingUp);
  }

  private static <T> ScheduleDraft set(
      JsonFields fields, ScheduleDraft draft, DefinitionField<T> field) {
    return fields.set(draft, field.name(), field.read(fields), (so, value) -> so.set(field, value));
  }

  private ScheduleDraft timed(JsonFields fields, ScheduleDraft draft) {
    if (!fields.has("timing")) {
      fields.error("timing", "say when it runs, such as {\"cron\": \"0 2 * * *\"}");
      return draft;
    }
    return fields.object("timing").map(timing -> timings.apply(timing, draft)).orElse(draft);
  }

  private ScheduleDraft overlapping(JsonFields fields, ScheduleDraft draft) {
    Optional<Overlap.Rule> rule = fields.word("overlap", Overlap.Rule.class);
    Optional<Long> limit = fields.whole("queueLimit", 1, Overlap.MAX_QUEUE);
    if (limit.isPresent() && rule.orElse(defaults.overlap().rule()) != Overlap.Rule.QUEUE) {
      fields.error("queueLimit", "only the overlap rule queue has a limit; leave it out");
      return draft;
    }
    return limit
        .map(most -> draft.overlap(Overlap.queue(Math.toIntExact(most))))
        .or(() -> rule.map(draft::overlap))
        .orElseGet(() -> draft.overlap(defaults.overlap()));
  }

  /* What is not said is as usual for the kind of timing. */
  private static ScheduleDraft catchingUp(JsonFields fields, ScheduleDraft draft) {
    return fields.object("catchUp").map(CatchUpJson::edit).map(draft::catchUp).orElse(draft);
  }
}
