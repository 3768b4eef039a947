package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.QuietHoursPolicies;
import dev.carillon.definition.QuietHoursJson;
import dev.carillon.model.DeleteResult;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.model.QuietHoursVersion;
import dev.carillon.model.SaveResult;
import dev.carillon.model.Scope;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
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
            .query(CalendarRoutes.DRY_RUN)
            .query(CalendarRoutes.REASON)
            .takes("QuietHoursDefinition")
            .answers(200, "QuietHoursOrDryRun")
            .answers(201, "QuietHours", this::put),
        Route.delete(ONE, Role.EDITOR, "deleteQuietHours")
            .reach(Reach.NOTHING)
            .summary("Delete quiet hours that no schedule names")
            .query(CalendarRoutes.DRY_RUN)
            .answers(200, "DeletionDryRun")
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
    QuietHoursVersion known = known(request);
    return shown(200, known, QuietHoursView.whole(known));
  }

  private QuietHoursVersion known(Request request) {
    String name = request.part("name");
    return carillon.quietHours().get(name).orElseThrow(() -> NotFound.quietHours(name));
  }

  private static Reply shown(
      int status, QuietHoursVersion version, Map<String, @Nullable Object> view) {
    return Precondition.tagged(Reply.json(status, view), Optional.of(version.version()));
  }

  Reply put(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    boolean dryRun = parameters.flag("dryRun");
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
        "name",
        () ->
            dryRun
                ? tried(quietHours(request), definition.orElseThrow(), precondition)
                : saved(quietHours(request), definition.orElseThrow(), reason, precondition));
  }

  private static Reply tried(
      QuietHoursPolicies quietHours, QuietHoursDefinition definition, Precondition precondition) {
    Optional<QuietHoursVersion> before = quietHours.get(definition.name());
    if (precondition.forbids(before.map(found -> CalendarView.etag(found.version())))) {
      throw changed();
    }
    SaveResult<QuietHoursVersion> result = quietHours.dryRun(definition);
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("dryRun", true);
    view.put(
        "result",
        switch (result.change()) {
          case CREATED -> "created";
          case UNCHANGED, STALE -> "unchanged";
          case NEW_VERSION -> "changed";
        });
    view.put(
        "changes",
        before
            .map(found -> QuietHoursPolicies.diff(found.definition(), definition))
            .orElse(List.of())
            .stream()
            .map(CalendarView::change)
            .toList());
    view.put("users", CalendarView.users(quietHours.users(definition.name(), Scope.ALL, 10)));
    RuleChangeView.add(view, result.shift());
    return Precondition.tagged(Reply.ok(view), before.map(QuietHoursVersion::version));
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
    Map<String, @Nullable Object> view = QuietHoursView.whole(result.current());
    RuleChangeView.add(view, result.shift(), result.replan());
    return shown(result.change() == SaveResult.Change.CREATED ? 201 : 200, result.current(), view);
  }

  private static ProblemException changed() {
    return new ProblemException(
        ProblemKind.CHANGED_MEANWHILE,
        "The quiet hours are not as If-Match or If-None-Match says. Read them again first.");
  }

  Reply delete(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    boolean dryRun = parameters.flag("dryRun");
    parameters.done();
    String name = request.part("name");
    QuietHoursPolicies quietHours = quietHours(request);
    Optional<Integer> expected = Precondition.of(request).version();
    if (dryRun) {
      int version = known(request).version();
      if (expected.filter(wanted -> wanted != version).isPresent()) {
        throw changed();
      }
      return CalendarView.deletion(quietHours.deleteDryRun(name));
    }
    DeleteResult result =
        expected
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
