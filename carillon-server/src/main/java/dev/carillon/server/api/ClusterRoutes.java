package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.model.AuditEntry;
import dev.carillon.model.AuditFilter;
import dev.carillon.model.NodeInfo;
import dev.carillon.model.RunCounts;
import dev.carillon.model.RunState;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.web.QueryParameter;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.time.Zones;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The cluster as a whole: the caller, nodes, audit and statistics. */
record ClusterRoutes(Carillon carillon) {
  private static final Duration DEFAULT_PERIOD = Duration.ofDays(1);
  private static final Duration MAX_PERIOD = Duration.ofDays(31);

  List<Route> routes() {
    return List.of(
        Route.get(Api.ROOT + "/me", Role.VIEWER, "getMe")
            .summary("Tell who is asking, and what they may do")
            .answers(200, "Me", this::me),
        Route.get(Api.ROOT + "/nodes", Role.VIEWER, "listNodes")
            .summary("List the nodes of the cluster that are alive")
            .paged()
            .answers(200, "NodePage", this::nodes),
        Route.get(Api.ROOT + "/audit", Role.VIEWER, "listAudit")
            .summary("List who changed what, newest first")
            .query(QueryParameter.text("schedule", "About the schedule with this key."))
            .query(QueryParameter.text("actor", "By this actor."))
            .query(QueryParameter.text("action", "With this action, such as schedule.paused."))
            .paged()
            .answers(200, "AuditPage", this::audit),
        Route.get(Api.ROOT + "/stats", Role.VIEWER, "getStats")
            .summary("Count runs that are over by state, hour and target; tell the time zone rules")
            .query(
                QueryParameter.format(
                    "from", "date-time", "From this hour on; a day ago unless said."))
            .query(QueryParameter.format("to", "date-time", "Until then; now unless said."))
            .answers(200, "Stats", this::stats));
  }

  Reply me(Request request) {
    return Reply.ok(
        Map.of(
            "name", request.caller().name(),
            "role", request.caller().role().word(),
            "signedInBy", request.caller().means()));
  }

  Reply nodes(Request request) {
    List<NodeInfo> nodes =
        carillon.nodes().stream()
            .sorted(Comparator.comparing(node -> node.id().toString()))
            .toList();
    return PagedLists.reply(
        PagedLists.slice(QueryParameters.of(request), nodes, node -> node.id().toString()),
        this::view);
  }

  private Map<String, @Nullable Object> view(NodeInfo node) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("id", node.id().toString());
    view.put("name", node.name());
    view.put("state", "alive");
    view.put("leader", node.leaderSince().isPresent());
    view.put("leaderSince", RunView.written(node.leaderSince()));
    view.put("self", node.id().equals(carillon.nodeId()));
    view.put("version", node.version());
    view.put("epoch", node.epoch());
    view.put("startedAt", ContractText.of(node.startedAt()));
    view.put("seenAt", ContractText.of(node.seenAt()));
    view.put("leaseUntil", ContractText.of(node.leaseUntil()));
    return view;
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
            parameters, (after, limit) -> carillon.schedules().auditPage(wanted, after, limit)),
        ClusterRoutes::view);
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

  Reply stats(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    Instant to = parameters.instant("to").orElseGet(() -> carillon.clock().instant());
    Instant from = parameters.instant("from").orElse(to.minus(DEFAULT_PERIOD));
    Duration period = Duration.between(from, to);
    if (period.isNegative() || period.compareTo(MAX_PERIOD) > 0) {
      parameters.error(
          "from", "must be before 'to', by at most %s days".formatted(MAX_PERIOD.toDays()));
    }
    parameters.done();
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("from", ContractText.of(from));
    body.put("to", ContractText.of(to));
    body.put("runs", counts(carillon.runs().counts(from, to)));
    body.put(
        "byHour",
        carillon.runs().countsByHour(from, to).stream()
            .map(counts -> view("hour", counts, ContractText::of))
            .toList());
    body.put(
        "byTarget",
        carillon.runs().countsByTarget(from, to).stream()
            .map(counts -> view("target", counts, label -> label))
            .toList());
    body.put("timeZones", Zones.version());
    return Reply.ok(body);
  }

  private static <T> Map<String, @Nullable Object> view(
      String name, RunCounts<T> counts, Function<T, String> text) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put(name, text.apply(counts.of()));
    view.put("runs", counts(counts.runs()));
    return view;
  }

  private static Map<String, Long> counts(Map<RunState, Long> runs) {
    var counts = new LinkedHashMap<String, Long>();
    for (RunState state : RunState.values()) {
      if (state.isFinal()) {
        counts.put(ContractText.word(state), runs.getOrDefault(state, 0L));
      }
    }
    return counts;
  }
}
