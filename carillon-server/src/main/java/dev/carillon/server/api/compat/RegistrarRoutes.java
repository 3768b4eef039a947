package dev.carillon.server.api.compat;

import dev.carillon.Carillon;
import dev.carillon.ScheduleDraft;
import dev.carillon.Schedules;
import dev.carillon.model.Pause;
import dev.carillon.model.PayloadUse;
import dev.carillon.model.RunFilter;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.server.api.Api;
import dev.carillon.server.api.NextSlots;
import dev.carillon.server.api.NotFound;
import dev.carillon.server.api.Precondition;
import dev.carillon.server.api.Reachable;
import dev.carillon.server.api.RunView;
import dev.carillon.server.api.ScheduleView;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The contract of a scheduler registrar: {@code /schedules} outside {@code /api/v1}. */
public record RegistrarRoutes(Carillon carillon, UpsertForm form) {
  private static final String ALL = "/schedules";
  private static final String ONE = ALL + "/{id}";
  private static final int PREVIEW = 5;
  private static final int RUNS = 20;

  public List<Route> routes() {
    return List.of(
        Route.post(ALL + "/upsert", Role.EDITOR, "upsertRegisteredSchedule")
            .reach(Reach.SCOPE)
            .summary("Register the schedule of a workflow, or change it, and let it fire")
            .takes("ScheduleUpsert")
            .answers(200, "UpsertedSchedule", request -> in(request).upsert(request)),
        Route.post(ALL + "/pause", Role.OPERATOR, "pauseRegisteredSchedule")
            .reach(Reach.SCOPE)
            .summary("Pause a registered schedule, or let it fire again")
            .takes("PauseSwitch")
            .answers(204, "", request -> in(request).pause(request)),
        Route.get(ONE, Role.VIEWER, "getRegisteredSchedule")
            .reach(Reach.SCOPE)
            .summary("Get a registered schedule, its next 5 fire times and its latest runs")
            .answers(200, "RegisteredSchedule", this::get),
        Route.delete(ONE, Role.EDITOR, "deleteRegisteredSchedule")
            .reach(Reach.SCOPE)
            .summary("Delete a registered schedule; its runs stay")
            .answers(204, "", this::delete));
  }

  private RegistrarRoutes in(Request request) {
    return new RegistrarRoutes(Api.in(request, carillon), form);
  }

  Reply upsert(Request request) {
    JsonFields fields = JsonFields.of(request);
    Optional<ScheduleDraft> draft = form.read(fields);
    fields.done();
    Schedules schedules = schedules(request);
    Schedule schedule =
        fields
            .doing(
                "cron_expr",
                Map.of("window", "end_at", "key", "schedule_id"),
                () -> schedules.upsertAndResume(draft.orElseThrow()))
            .schedule();
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("schedule_id", schedule.key());
    body.put(
        "next_run_at",
        RunView.written(NextSlots.of(schedules(request), schedule.key(), 1).stream().findFirst()));
    return Reply.ok(form.targets().warn(body, schedule.definition().target()));
  }

  Reply pause(Request request) {
    JsonFields fields = JsonFields.of(request);
    Optional<String> id = fields.needed("schedule_id", "say which schedule");
    fields.require("paused", "say true to pause it, or false to let it fire again");
    Optional<Boolean> paused = fields.flag("paused");
    Optional<String> reason = fields.text("reason");
    reason.ifPresent(why -> fields.tried("reason", () -> new Pause(why, Optional.empty())));
    fields.done();
    String key = find(request, id.orElseThrow()).key();
    Schedules schedules = schedules(request);
    if (paused.orElseThrow()) {
      schedules.pause(key, reason.orElse("paused by " + request.caller().name()));
    } else {
      schedules.resume(key);
    }
    return Reply.done();
  }

  Reply get(Request request) {
    Schedule schedule = find(request, request.part("id"));
    RunFilter latest = RunFilter.bySchedule(schedule.key()).dueBy(carillon.clock().instant());
    return Reply.ok(
            RegisteredView.of(
                schedule,
                NextSlots.of(schedules(request), schedule.key(), PREVIEW),
                Reachable.runs(carillon, request)
                    .page(latest, Optional.empty(), RUNS, PayloadUse.LEFT_OUT)
                    .items()))
        .header("ETag", ScheduleView.etag(schedule));
  }

  Reply delete(Request request) {
    Schedule schedule = find(request, request.part("id"));
    Precondition.of(request).retire(schedules(request), schedule.key());
    return Reply.done();
  }

  private Schedule find(Request request, String id) {
    return schedules(request)
        .get(id)
        .filter(schedule -> schedule.status() != ScheduleStatus.RETIRED)
        .orElseThrow(() -> NotFound.schedule(id));
  }

  private Schedules schedules(Request request) {
    return Reachable.schedules(carillon, request);
  }
}
