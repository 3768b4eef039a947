package dev.carillon.server.api.compat;

import dev.carillon.ScheduleDraft;
import dev.carillon.model.Payload;
import dev.carillon.policy.CatchUp;
import dev.carillon.server.api.Defaults;
import dev.carillon.server.api.TargetLabels;
import dev.carillon.server.api.TimingForm;
import dev.carillon.server.api.workflow.WorkflowForm;
import dev.carillon.server.read.JsonFields;
import dev.carillon.time.AllowedZones;
import dev.carillon.time.Jitter;
import dev.carillon.time.Timing;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Optional;

/**
 * How a workflow's schedule is registered: in snake_case, with the policies by their names there.
 *
 * @param defaults what it gets where it does not say
 * @param targets the labels it may name
 * @param zones the time zones it may name
 */
public record UpsertForm(Defaults defaults, TargetLabels targets, AllowedZones zones) {
  private static final int MAX_ID = 200;

  /** Read a schedule; what is wrong with it is known to {@code fields}. */
  Optional<ScheduleDraft> read(JsonFields fields) {
    Optional<ScheduleDraft> named =
        fields.has("schedule_id")
            ? fields
                .text("schedule_id")
                .flatMap(id -> fields.tried("schedule_id", () -> ScheduleDraft.named(id)))
            : Optional.of(ScheduleDraft.unnamed());
    ScheduleDraft draft = named.orElseGet(ScheduleDraft::unnamed);
    String target = targets.read(fields, WorkflowForm.DEFAULT_TARGET);
    draft = fields.set(draft, "target", Optional.of(target), ScheduleDraft::target);
    draft = fields.set(draft, "workflow_id", payload(fields), ScheduleDraft::payload);
    draft = fields.set(draft, "cron_expr", timing(fields, draft.key()), ScheduleDraft::timing);
    draft = fields.set(draft, "end_at", WorkflowForm.window(fields), ScheduleDraft::window);
    draft =
        fields.set(
            draft,
            "jitter_ms",
            Optional.of(defaults.jitter(fields, Jitter.MAX_AMOUNT)),
            ScheduleDraft::jitter);
    ScheduleDraft filled = defaults.overlapping(fields, draft).catchUp(catchUp(fields));
    return named.map(good -> filled);
  }

  private static Optional<Payload> payload(JsonFields fields) {
    Optional<String> workflow = fields.needed("workflow_id", "say which workflow runs", MAX_ID);
    fields.require("version", "say which version of the workflow runs");
    Optional<Long> version = fields.whole("version", 1, Integer.MAX_VALUE);
    Optional<String> user = fields.needed("user_id", "say for whom it runs", MAX_ID);
    if (workflow.isEmpty() || version.isEmpty() || user.isEmpty()) {
      return Optional.empty();
    }
    var content = new LinkedHashMap<String, Object>();
    content.put("workflow_id", workflow.get());
    content.put("version", version.get());
    content.put("user_id", user.get());
    return Optional.of(Payload.of(content));
  }

  private Optional<Timing> timing(JsonFields fields, String key) {
    Optional<String> expression = fields.needed("cron_expr", "say when it runs, such as 0 2 * * *");
    ZoneId zone =
        fields
            .needed("timezone", "say on whose clock, such as America/New_York or UTC")
            .flatMap(name -> fields.tried("timezone", () -> zones.named(name)))
            .orElse(TimingForm.UTC);
    return expression.flatMap(
        text -> fields.tried("cron_expr", () -> TimingForm.parsed(text, zone, key)));
  }

  private CatchUp catchUp(JsonFields fields) {
    CatchUp usual = defaults.sourceCatchUp();
    return fields
        .text("catchup_policy")
        .flatMap(name -> fields.tried("catchup_policy", () -> usual.called(name)))
        .orElse(usual);
  }
}
