package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.model.AuditEntry;
import dev.carillon.model.AuditFilter;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.web.QueryParameter;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The resource {@code /audit}: who changed what. */
record AuditRoutes(Carillon carillon) {
  List<Route> routes() {
    return List.of(
        Route.get(Api.ROOT + "/audit", Role.VIEWER, "listAudit")
            .reach(Reach.SCOPE)
            .summary("List who changed what, newest first")
            .query(QueryParameter.text("schedule", "About the schedule with this key."))
            .query(QueryParameter.text("actor", "By this actor."))
            .query(QueryParameter.text("action", "With this action, such as schedule.paused."))
            .paged()
            .answers(200, "AuditPage", this::audit));
  }

  Reply audit(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    AuditFilter filter = AuditFilter.all();
    filter = parameters.set(filter, "schedule", parameters.text("schedule"), AuditFilter::schedule);
    filter = parameters.set(filter, "actor", parameters.text("actor"), AuditFilter::actor);
    AuditFilter wanted =
        parameters.set(filter, "action", parameters.text("action"), AuditFilter::action);
    return PagedLists.reply(
        PagedLists.ask(
            parameters,
            (after, limit) ->
                Reachable.schedules(carillon, request).auditPage(wanted, after, limit)),
        AuditRoutes::view);
  }

  private static Map<String, @Nullable Object> view(AuditEntry line) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("id", line.id());
    view.put("at", ContractText.of(line.changedBy().at()));
    view.put("actor", line.changedBy().by());
    view.put("action", line.action());
    view.put("schedule", line.schedule().orElse(null));
    view.put("details", line.details());
    return view;
  }
}
