package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.QuietHoursPolicies;
import dev.carillon.definition.QuietHoursJson;
import dev.carillon.model.DeleteResult;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.model.QuietHoursVersion;
import dev.carillon.model.SaveResult;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.util.List;
import java.util.Optional;

/** The {@code /quiet-hours} resource: when nothing should run. */
record QuietHoursRoutes(Carillon carillon) {
  private static final String ALL = Api.ROOT + "/quiet-hours";
  private static final String ONE = ALL + "/{name}";

  List<Route> routes() {
    return List.of(
        Route.get(ALL, Role.VIEWER, "listQuietHours")
            .reach(Reach.ALL)
            .summary("List quiet hours by name")
            .paged()
            .answers(200, "QuietHoursPage", this::list),
        Route.get(ONE, Role.VIEWER, "getQuietHours")
            .reach(Reach.ALL)
            .summary("Get quiet hours")
            .answers(200, "QuietHours", this::get),
        Route.put(ONE, Role.EDITOR, "putQuietHours")
            .reach(Reach.NOTHING)
            .summary("Save quiet hours, as a new version if they say something else")
            .query(CalendarRoutes.REASON)
            .takes("QuietHoursDefinition")
            .answers(200, "QuietHours")
            .answers(201, "QuietHours", this::put),
        Route.delete(ONE, Role.EDITOR, "deleteQuietHours")
            .reach(Reach.NOTHING)
            .summary("Delete quiet hours that no schedule names")
            .answers(204, "", this::delete));
  }

  private QuietHoursPolicies quietHours(Request request) {
    return carillon.quietHours().as(request.caller().name());
  }

  Reply list(Request request) {
    return PagedLists.reply(
        PagedLists.ask(QueryParameters.of(request), carillon.quietHours()::page),
        QuietHoursView::whole);
  }

  Reply get(Request request) {
    String name = request.part("name");
    return shown(200, carillon.quietHours().get(name).orElseThrow(() -> NotFound.quietHours(name)));
  }

  private static Reply shown(int status, QuietHoursVersion version) {
    return Reply.json(status, QuietHoursView.whole(version))
        .header("ETag", CalendarView.etag(version.version()));
  }

  Reply put(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    String reason = parameters.text("reason").orElse("");
    parameters.done();
    String name = request.part("name");
    JsonFields fields = JsonFields.of(request);
    fields
        .text("name")
        .filter(said -> !said.equals(name))
        .ifPresent(said -> fields.error("name", "must be as in the path, '" + name + "'"));
    Optional<QuietHoursDefinition> definition = QuietHoursJson.read(name, fields);
    definition.ifPresent(
        read -> fields.tried("zone", () -> carillon.allowedZones().check(read.hours().zone())));
    fields.done();
    Precondition precondition = Precondition.of(request);
    return fields.doing(
        "name", () -> saved(quietHours(request), definition.orElseThrow(), reason, precondition));
  }

  private static Reply saved(
      QuietHoursPolicies quietHours,
      QuietHoursDefinition definition,
      String reason,
      Precondition precondition) {
    Optional<Integer> expected = precondition.expected();
    if (precondition.present()
        && expected.isEmpty()
        && quietHours.get(definition.name()).isEmpty()) {
      return Precondition.failed("There are no such quiet hours.");
    }
    SaveResult<QuietHoursVersion> result =
        expected
            .map(
                version ->
                    quietHours
                        .save(definition, reason, version)
                        .filter(done -> done.change() != SaveResult.Change.STALE)
                        .orElseThrow(QuietHoursRoutes::changed))
            .orElseGet(() -> quietHours.save(definition, reason));
    return shown(result.change() == SaveResult.Change.CREATED ? 201 : 200, result.current());
  }

  private static ProblemException changed() {
    return new ProblemException(
        ProblemKind.CHANGED_MEANWHILE,
        "The quiet hours are not as If-Match or If-None-Match says. Read them again first.");
  }

  Reply delete(Request request) {
    String name = request.part("name");
    QuietHoursPolicies quietHours = quietHours(request);
    DeleteResult result =
        Precondition.of(request)
            .version()
            .map(version -> quietHours.delete(name, version))
            .orElseGet(() -> quietHours.delete(name));
    return switch (result.outcome()) {
      case DELETED -> Reply.done();
      case UNKNOWN -> throw NotFound.quietHours(name);
      case STALE -> throw changed();
      case IN_USE ->
          throw new ProblemException(
              ProblemKind.QUIET_HOURS_IN_USE, CalendarView.inUse(result.users()));
    };
  }
}
