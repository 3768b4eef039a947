package dev.carillon.server.api.workflow;

import dev.carillon.ScheduleDraft;
import dev.carillon.Workflows;
import dev.carillon.model.Payload;
import dev.carillon.policy.CatchUp;
import dev.carillon.server.api.Defaults;
import dev.carillon.server.api.TargetLabels;
import dev.carillon.server.api.TimingForm;
import dev.carillon.server.read.JsonFields;
import dev.carillon.time.Timing;
import dev.carillon.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the graph of a workflow says when it runs: by the {@code schedule_based} ones among its
 * triggers. All else in it is the executor's business.
 *
 * @param defaults what a trigger gets where it does not say
 * @param targets the labels it may name
 * @param timings how it says when
 */
public record WorkflowForm(Defaults defaults, TargetLabels targets, TimingForm timings) {
  /** The target of triggers that name none. */
  public static final String DEFAULT_TARGET = "workflow";

  private static final String OUR_TYPE = "schedule_based";
  private static final int MAX_TRIGGERS = 100;
  private static final Duration MAX_JITTER = Duration.ofDays(1);

  /* The version a trigger belongs to. */
  private record Owner(String workflow, int version, Optional<String> user) {}

  /** Read the schedules of a version, by where in the graph each is; refuse all that is wrong. */
  Map<String, ScheduleDraft> read(String workflow, int version, Map<String, @Nullable Object> dag) {
    JsonFields fields = JsonFields.of(dag).open();
    var owner = new Owner(workflow, version, fields.text("user_id"));
    var drafts = new LinkedHashMap<String, ScheduleDraft>();
    Set<String> ids = new HashSet<>();
    for (JsonFields trigger : fields.objects("triggers", MAX_TRIGGERS).orElse(List.of())) {
      if (trigger.text("type").filter(OUR_TYPE::equals).isPresent()) {
        drafts.put(trigger.pointer(), draft(trigger, owner, ids));
      } else {
        trigger.open();
      }
    }
    fields.done();
    return drafts;
  }

  private ScheduleDraft draft(JsonFields trigger, Owner owner, Set<String> ids) {
    Optional<String> id =
        trigger.needed("id", "a trigger needs an id that stays the same in later versions");
    id.filter(name -> !ids.add(name))
        .ifPresent(name -> trigger.error("id", "another trigger has this id"));
    ScheduleDraft draft =
        id.flatMap(
                name ->
                    trigger.tried(
                        "id", () -> ScheduleDraft.named(Workflows.key(owner.workflow(), name))))
            .orElseGet(ScheduleDraft::unnamed);
    draft =
        trigger.set(
            draft,
            "target",
            Optional.of(targets.read(trigger, DEFAULT_TARGET)),
            ScheduleDraft::target);
    draft = payload(trigger, draft, owner, id.orElse(""));
    draft = trigger.set(draft, "cron_expr", timing(trigger, draft.key()), ScheduleDraft::timing);
    draft = trigger.set(draft, "end_at", window(trigger), ScheduleDraft::window);
    draft =
        trigger.set(
            draft,
            "jitter_ms",
            Optional.of(defaults.jitter(trigger, MAX_JITTER)),
            ScheduleDraft::jitter);
    draft = defaults.overlapping(trigger, draft);
    draft = catchingUp(trigger, draft);
    draft =
        trigger.set(draft, "description", trigger.text("description"), ScheduleDraft::description);
    trigger.map("config");
    return draft;
  }

  private static ScheduleDraft payload(
      JsonFields trigger, ScheduleDraft draft, Owner owner, String id) {
    Optional<String> user = trigger.text("user_id").or(owner::user);
    user.filter(String::isBlank)
        .ifPresent(
            blank ->
                trigger.error("user_id", "must not be blank; leave it out if it is for nobody"));
    Optional<Payload> input = trigger.payload("input");
    var content = new LinkedHashMap<String, Object>();
    content.put("workflow_id", owner.workflow());
    content.put("version", owner.version());
    user.ifPresent(name -> content.put("user_id", name));
    content.put("trigger_id", id);
    input.ifPresent(given -> content.put("input", given.content()));
    return trigger.set(draft, "input", Optional.of(content), (named, map) -> named.payload(map));
  }

  private Optional<Timing> timing(JsonFields trigger, String key) {
    ZoneId zone = timings.zone(trigger, "timezone", TimingForm.UTC);
    return trigger
        .needed("cron_expr", "say when it fires, such as 0 2 * * *")
        .flatMap(text -> trigger.tried("cron_expr", () -> TimingForm.parsed(text, zone, key)));
  }

  /** Return the window from {@code start_at} to {@code end_at}. */
  public static Optional<Window> window(JsonFields trigger) {
    Optional<Instant> from = trigger.instant("start_at");
    Optional<Instant> until = trigger.instant("end_at");
    return trigger.tried(
        "end_at", () -> new Window(from.orElse(Instant.MIN), until.orElse(Instant.MAX)));
  }

  private static ScheduleDraft catchingUp(JsonFields trigger, ScheduleDraft draft) {
    return trigger
        .text("catchup_policy")
        .filter(name -> trigger.tried("catchup_policy", () -> CatchUp.modeNamed(name)).isPresent())
        .map(name -> draft.catchUp(usual -> usual.called(name)))
        .orElse(draft);
  }
}
