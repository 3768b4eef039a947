package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.Schedules;
import dev.carillon.json.AsciiText;
import dev.carillon.model.ChangeResult;
import dev.carillon.model.Page;
import dev.carillon.model.PayloadUse;
import dev.carillon.model.ScheduleVersion;
import dev.carillon.model.VersionFilter;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.QueryParameter;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The history of a schedule's definition. */
record VersionRoutes(Carillon carillon) {
  private static final String ONE = Api.ROOT + "/schedules/{key}";
  private static final int LATEST = Integer.MAX_VALUE;

  List<Route> routes() {
    return List.of(
        Route.get(ONE + "/versions", Role.VIEWER, "listVersions")
            .reach(Reach.SCOPE)
            .summary("List the definitions a schedule has had, newest first")
            .query(PagedLists.INCLUDE)
            .paged()
            .answers(200, "VersionPage", this::list),
        Route.get(ONE + "/versions/{version}", Role.VIEWER, "getVersion")
            .reach(Reach.SCOPE)
            .summary("Get a definition that a schedule has or had")
            .answers(200, "ScheduleVersion", this::get),
        Route.get(ONE + "/versions/{version}/diff", Role.VIEWER, "diffVersions")
            .reach(Reach.SCOPE)
            .summary("Tell which fields differ between two versions")
            .query(
                QueryParameter.whole(
                    "to", 1, LATEST, "Compare with this one; the current unless said."))
            .answers(200, "VersionDiff", this::diff),
        Route.post(ONE + "/rollback", Role.EDITOR, "rollbackSchedule")
            .reach(Reach.SCOPE)
            .summary("Make a new version equal to an old one")
            .takes("Rollback")
            .answers(200, "Schedule", request -> in(request).rollback(request)));
  }

  private VersionRoutes in(Request request) {
    return new VersionRoutes(Api.in(request, carillon));
  }

  Reply list(Request request) {
    String key = known(request);
    QueryParameters parameters = QueryParameters.of(request);
    PayloadUse payloads = PagedLists.payloads(parameters);
    Page<ScheduleVersion> page =
        PagedLists.ask(
            parameters,
            (after, limit) ->
                schedules(request).versions(VersionFilter.of(key), after, limit, payloads));
    return PagedLists.reply(
        page, version -> DefinitionView.listed(ScheduleView.of(key, version), payloads));
  }

  Reply get(Request request) {
    String key = known(request);
    return Reply.ok(ScheduleView.of(key, find(request, key, number(request))));
  }

  Reply diff(Request request) {
    String key = known(request);
    QueryParameters parameters = QueryParameters.of(request);
    Optional<Integer> to = parameters.whole("to", 1, LATEST);
    parameters.done();
    ScheduleVersion before = find(request, key, number(request));
    ScheduleVersion after =
        find(request, key, to.orElseGet(() -> schedules(request).get(key).orElseThrow().version()));
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("key", key);
    body.put("from", before.version());
    body.put("to", after.version());
    body.put("changes", DefinitionView.changes(before.definition(), after.definition()));
    return Reply.ok(body);
  }

  Reply rollback(Request request) {
    String key = known(request);
    JsonFields fields = JsonFields.of(request);
    fields.require("version", "say which version to go back to");
    Optional<Long> version = fields.whole("version", 1, Integer.MAX_VALUE);
    fields.done();
    int wanted = Math.toIntExact(version.orElseThrow());
    find(request, key, wanted);
    Schedules schedules = schedules(request);
    ChangeResult changeResult =
        fields
            .doing("version", () -> schedules.rollback(key, wanted))
            .orElseThrow(ScheduleRoutes::retired);
    return Reply.ok(ScheduleView.of(changeResult.schedule()))
        .header("ETag", ScheduleView.etag(changeResult.schedule()));
  }

  private Schedules schedules(Request request) {
    return Reachable.schedules(carillon, request);
  }

  private String known(Request request) {
    String key = request.part("key");
    return schedules(request).get(key).orElseThrow(() -> NotFound.schedule(key)).key();
  }

  private static int number(Request request) {
    return (int) AsciiText.number(request.part("version"), 9).orElse(0);
  }

  private ScheduleVersion find(Request request, String key, int version) {
    return schedules(request)
        .version(key, version)
        .orElseThrow(() -> missing(request, key, version));
  }

  private ProblemException missing(Request request, String key, int version) {
    return version >= 1
            && schedules(request).get(key).filter(now -> version < now.version()).isPresent()
        ? NotFound.prunedVersion(key)
        : NotFound.version(key);
  }
}
