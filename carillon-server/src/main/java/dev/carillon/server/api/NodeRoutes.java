package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.model.NodeInfo;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The resource {@code /nodes}: the nodes of the cluster. */
record NodeRoutes(Carillon carillon) {
  List<Route> routes() {
    return List.of(
        Route.get(Api.ROOT + "/nodes", Role.VIEWER, "listNodes")
            .reach(Reach.NOTHING)
            .summary("List the nodes of the cluster that are alive")
            .paged()
            .answers(200, "NodePage", this::nodes));
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
    view.put("concurrency", node.concurrency().orElse(null));
    view.put("timeZones", node.timeZones().orElse(null));
    view.put("clockAheadMs", node.clockAhead().map(Duration::toMillis).orElse(null));
    view.put("epoch", node.epoch());
    view.put("startedAt", ContractText.of(node.startedAt()));
    view.put("seenAt", ContractText.of(node.seenAt()));
    view.put("leaseUntil", ContractText.of(node.leaseUntil()));
    return view;
  }
}
