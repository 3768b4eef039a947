package dev.carillon.server.api;

import dev.carillon.BackfillDraft;
import dev.carillon.BackfillResult;
import dev.carillon.Carillon;
import dev.carillon.Schedules;
import dev.carillon.model.ChangeResult;
import dev.carillon.model.Pause;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.PolicyDefaults;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What can be done with a schedule without changing its definition. */
record ActionRoutes(Carillon carillon) {
  private static final String ONE = Api.ROOT + "/schedules/{key}";

  List<Route> routes() {
    return List.of(
        Route.post(ONE + "/pause", Role.OPERATOR, "pauseSchedule")
            .reach(Reach.SCOPE)
            .summary("Stop a schedule from firing, now or later, for a reason")
            .takes("PauseRequest")
            .answers(200, "Schedule", request -> in(request).pause(request)),
        Route.post(ONE + "/resume", Role.OPERATOR, "resumeSchedule")
            .reach(Reach.SCOPE)
            .summary("Let a paused schedule fire again, or cancel a pause that has not begun")
            .mayTake("Nothing")
            .answers(200, "Schedule", request -> in(request).resume(request)),
        Route.post(ONE + "/run", Role.OPERATOR, "runSchedule")
            .reach(Reach.SCOPE)
            .summary("Run a schedule now, as an extra run that obeys its overlap rule")
            .mayTake("RunNowRequest")
            .answers(202, "Run", request -> in(request).run(request)),
        Route.post(ONE + "/backfill", Role.OPERATOR, "backfillSchedule")
            .reach(Reach.SCOPE)
            .summary(
                "Make runs for past slots that have none, or whose run was skipped or canceled")
            .takes("BackfillRequest")
            .answers(200, "BackfillResult")
            .answers(202, "BackfillResult", request -> in(request).backfill(request)));
  }

  private ActionRoutes in(Request request) {
    return new ActionRoutes(Api.in(request, carillon));
  }

  Reply pause(Request request) {
    JsonFields fields = JsonFields.ofAny(request);
    Optional<Pause> asked = PauseForm.read(fields, PauseForm.reason(fields));
    fields.done();
    Pause pause = asked.orElseThrow();
    String key = request.part("key");
    Schedules schedules = schedules(request);
    return reply(key, fields.doing("until", () -> schedules.pause(key, pause)));
  }

  Reply resume(Request request) {
    JsonFields.ofAny(request).done();
    return reply(request.part("key"), schedules(request).resume(request.part("key")));
  }

  Reply run(Request request) {
    JsonFields fields = JsonFields.ofAny(request);
    Optional<Payload> payload = fields.payload("payload");
    Optional<Overlap> overlap =
        fields.word("overlap", Overlap.Rule.class).map(PolicyDefaults.BUILT_IN::overlap);
    fields.done();
    String key = request.part("key");
    Schedules schedules = schedules(request);
    Optional<Run> run =
        fields.doing(
            "payload",
            () ->
                overlap.isEmpty()
                    ? payload
                        .map(given -> schedules.runNow(key, given))
                        .orElseGet(() -> schedules.runNow(key))
                    : schedules.runNow(
                        key, payload.orElseGet(() -> usual(request)), overlap.get()));
    Run made = run.orElseThrow(() -> retiredOrUnknown(request));
    return Reply.json(202, RunView.of(made)).header("Location", Api.ROOT + "/runs/" + made.id());
  }

  private Payload usual(Request request) {
    String key = request.part("key");
    return schedules(request)
        .get(key)
        .orElseThrow(() -> NotFound.schedule(key))
        .definition()
        .payload();
  }

  Reply backfill(Request request) {
    JsonFields fields = JsonFields.of(request);
    Optional<BackfillDraft> draft = draft(fields);
    boolean dryRun = fields.flag("dryRun").orElse(false);
    fields.done();
    String key = request.part("key");
    Schedules schedules = schedules(request);
    Optional<BackfillResult> done =
        dryRun
            ? schedules.previewBackfill(key, draft.orElseThrow())
            : schedules.backfill(key, draft.orElseThrow());
    return Reply.json(
        dryRun ? 200 : 202, view(done.orElseThrow(() -> retiredOrUnknown(request)), dryRun));
  }

  private static Map<String, @Nullable Object> view(BackfillResult done, boolean dryRun) {
    var taken = new LinkedHashMap<String, Integer>();
    done.taken().forEach((state, slots) -> taken.put(ContractText.word(state), slots));
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("dryRun", dryRun);
    view.put("count", done.slots().size());
    view.put("slots", done.slots().stream().map(ContractText::of).toList());
    view.put("runs", done.runs().stream().map(RunId::toString).toList());
    view.put("again", done.again());
    view.put("slotsInRange", done.slotsInRange());
    view.put("taken", taken);
    view.put("more", done.more());
    view.put("why", done.why().orElse(null));
    return view;
  }

  private static Optional<BackfillDraft> draft(JsonFields fields) {
    for (String end : List.of("from", "to")) {
      fields.require(end, "say which slots: from and to, both included");
    }
    Optional<Instant> from = fields.instant("from");
    Optional<Instant> to = fields.instant("to");
    Optional<Long> limit = fields.whole("limit", 1, CatchUp.MAX_LIMIT);
    Optional<Overlap> overlap =
        fields.word("overlap", Overlap.Rule.class).map(PolicyDefaults.BUILT_IN::overlap);
    Optional<Duration> spread = fields.duration("spread");
    if (from.isEmpty() || to.isEmpty()) {
      return Optional.empty();
    }
    return fields
        .tried("to", () -> BackfillDraft.between(from.get(), to.get()))
        .map(draft -> fields.set(draft, "limit", limit.map(Math::toIntExact), BackfillDraft::limit))
        .map(draft -> fields.set(draft, "overlap", overlap, BackfillDraft::overlap))
        .map(draft -> fields.set(draft, "spread", spread, BackfillDraft::spread));
  }

  private Reply reply(String key, Optional<ChangeResult> saved) {
    Schedule schedule = saved.orElseThrow(() -> NotFound.schedule(key)).schedule();
    if (schedule.status() == ScheduleStatus.RETIRED
        && saved.get().change() == ChangeResult.Change.UNCHANGED) {
      throw ScheduleRoutes.retired();
    }
    return Reply.ok(ScheduleView.of(schedule)).header("ETag", ScheduleView.etag(schedule));
  }

  private ProblemException retiredOrUnknown(Request request) {
    String key = request.part("key");
    return schedules(request).get(key).isPresent()
        ? ScheduleRoutes.retired()
        : NotFound.schedule(key);
  }

  private Schedules schedules(Request request) {
    return Reachable.schedules(carillon, request);
  }
}
