package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.FoundSchedules;
import dev.carillon.model.Pause;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/** Doing the same with many schedules. */
record BulkRoutes(Carillon carillon) {
  private static final int MAX_REASON = 1_000;

  /** What can be done with many. */
  private enum Action {
    PAUSE,
    RESUME,
    RUN,
    DELETE
  }

  List<Route> routes() {
    return List.of(
        Route.post(Api.ROOT + "/schedules/bulk", Role.OPERATOR, "changeSchedules")
            .reach(Reach.SCOPE)
            .summary("Pause, resume, run or delete all schedules that match a filter")
            .takes("BulkRequest")
            .answers(200, "BulkResult", this::change));
  }

  Reply change(Request request) {
    JsonFields fields = JsonFields.of(request);
    fields.require("action", "say what to do: pause, resume, run or delete");
    Optional<Action> action = fields.word("action", Action.class);
    Optional<String> reason = fields.needed("reason", "say why: the audit keeps it", MAX_REASON);
    ScheduleFilter filter =
        fields.object("filter").map(BulkRoutes::filter).orElse(ScheduleFilter.all());
    Optional<Pause> pause =
        action.filter(Action.PAUSE::equals).flatMap(any -> PauseForm.read(fields, reason));
    if (action.filter(Action.PAUSE::equals).isEmpty()) {
      refuse(fields, "from", "only a pause has a beginning; leave it out");
      refuse(fields, "until", "only a pause has an end; leave it out");
    }
    BulkScope scope = BulkScope.read(fields);
    scope.checkFilter(fields, filter.narrows(), "payload, target, tag, q or status");
    fields.done();
    if (action.orElseThrow() == Action.DELETE && !request.caller().role().covers(Role.EDITOR)) {
      throw new ProblemException(
          ProblemKind.FORBIDDEN,
          "Deleting needs the role editor; yours is %s.".formatted(request.caller().role().word()));
    }
    FoundSchedules found = Reachable.schedules(carillon, request).findAll(filter);
    scope.check(found.count());
    var body = new LinkedHashMap<String, Object>();
    body.put("action", ContractText.word(action.get()));
    body.put("dryRun", scope.dryRun());
    body.put("matched", found.count());
    body.put("first", found.first());
    body.put(
        "schedules",
        scope.dryRun()
            ? 0
            : fields.doing("until", () -> done(found, action.get(), reason.orElseThrow(), pause)));
    return Reply.ok(body);
  }

  private static void refuse(JsonFields fields, String name, String why) {
    if (fields.instant(name).isPresent()) {
      fields.error(name, why);
    }
  }

  private static long done(
      FoundSchedules found, Action action, String reason, Optional<Pause> pause) {
    return switch (action) {
      case PAUSE -> found.pause(pause.orElseThrow());
      case RESUME -> found.resume(reason);
      case RUN -> found.runNow(reason);
      case DELETE -> found.retire(reason);
    };
  }

  private static ScheduleFilter filter(JsonFields fields) {
    ScheduleFilter filter = ScheduleFilter.all();
    filter =
        fields.set(filter, "status", fields.word("status", StatusText.class), StatusText::apply);
    filter = fields.set(filter, "target", fields.text("target"), ScheduleFilter::target);
    filter = fields.set(filter, "tag", fields.text("tag"), ScheduleFilter::tag);
    filter = fields.set(filter, "q", fields.text("q"), ScheduleFilter::text);
    return fields.set(filter, "payload", fields.payload("payload"), ScheduleFilter::payload);
  }
}
