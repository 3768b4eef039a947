package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.PullWorkers;
import dev.carillon.model.RunId;
import dev.carillon.model.WorkerInfo;
import dev.carillon.server.read.Fields;
import dev.carillon.server.read.Parameters;
import dev.carillon.server.read.Texts;
import dev.carillon.server.web.Problem;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.target.Completed;
import dev.carillon.target.Completion;
import dev.carillon.target.Lease;
import dev.carillon.target.Leased;
import dev.carillon.target.Renewal;
import dev.carillon.targets.MessageEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The {@code /workers} resource: programs in any language that fetch runs and do them. */
final class WorkerRoutes {
  private static final String ALL = Api.ROOT + "/workers";
  private static final int MOST = 1_000;

  private final PullWorkers workers;
  private final KnownLabels known;
  private final WaitingRoom room;

  WorkerRoutes(Carillon carillon, KnownLabels known) {
    this.workers = carillon.pullWorkers();
    this.known = known;
    this.room = new WaitingRoom(workers, WorkerRoutes::told);
  }

  List<Route> routes() {
    return List.of(
        Route.get(ALL, Role.VIEWER, "listWorkers")
            .summary("List the workers that are there")
            .paged()
            .answers(200, "WorkerPage")
            .by(this::list),
        Route.post(ALL + "/claim", Role.OPERATOR, "claimRuns")
            .summary("Fetch due runs on lease, or wait for some")
            .takes("ClaimRequest")
            .answers(200, "Claimed")
            .secret()
            .by(this::claim),
        Route.post(ALL + "/heartbeat", Role.OPERATOR, "renewLeases")
            .summary("Say what is still worked on, and learn what is not to be")
            .takes("HeartbeatRequest")
            .answers(200, "Renewals")
            .secret()
            .by(this::heartbeat),
        Route.post(ALL + "/complete", Role.OPERATOR, "completeRuns")
            .summary("Say how runs ended; each has its own answer")
            .takes("Completions")
            .answers(200, "CompletionAnswers")
            .by(this::complete));
  }

  Reply list(Request request) {
    List<WorkerInfo> all =
        workers.list().stream().sorted(Comparator.comparing(WorkerInfo::name)).toList();
    return Lists.reply(
        Lists.slice(Parameters.of(request), all, WorkerInfo::name), WorkerRoutes::view);
  }

  private static Map<String, @Nullable Object> view(WorkerInfo worker) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("id", worker.id().toString());
    view.put("name", worker.name());
    view.put("since", Texts.of(worker.since()));
    view.put("seenAt", Texts.of(worker.seenAt()));
    view.put("leaseUntil", Texts.of(worker.leaseUntil()));
    view.put("inHand", worker.inHand());
    return view;
  }

  Reply claim(Request request) {
    ClaimOrder order = ClaimOrder.read(Fields.of(request), known);
    List<Leased> runs = workers.claim(order.worker(), order.targets(), order.max(), order.lease());
    return runs.isEmpty() && !order.patience().isZero()
        ? room.enter(order, request::isPresent)
        : told(runs);
  }

  private static Reply told(List<Leased> runs) {
    return Reply.ok(Map.of("runs", runs.stream().map(WorkerRoutes::view).toList()));
  }

  private static Map<String, @Nullable Object> view(Leased leased) {
    Map<String, @Nullable Object> view = RunView.of(leased.run());
    view.put("source", MessageEvent.source(leased.run().schedule()));
    view.put("fence", leased.lease().fence());
    view.put("leaseUntil", Texts.of(leased.until()));
    return view;
  }

  Reply heartbeat(Request request) {
    Fields fields = Fields.of(request);
    Optional<String> worker = ClaimOrder.worker(fields);
    Duration lease = ClaimOrder.lease(fields);
    var leases = new ArrayList<Lease>();
    for (Fields run : fields.objects("runs", MOST).orElse(List.of())) {
      LeaseForm.read(run).ifPresent(leases::add);
    }
    fields.done();
    Map<RunId, Renewal> renewals = workers.heartbeat(worker.orElseThrow(), leases, lease);
    return Reply.ok(
        Map.of(
            "runs",
            renewals.entrySet().stream().map(one -> view(one.getKey(), one.getValue())).toList()));
  }

  private static Map<String, @Nullable Object> view(RunId id, Renewal renewal) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("id", id.toString());
    view.put("goOn", renewal.goesOn());
    view.put("stop", renewal.stop().map(Texts::word).orElse(null));
    view.put("reason", renewal.goesOn() ? null : renewal.reason());
    view.put("leaseUntil", RunView.written(renewal.until()));
    return view;
  }

  Reply complete(Request request) {
    var completions = new ArrayList<Completion>();
    List<Fields> items = Fields.list(request, MOST);
    for (Fields item : items) {
      LeaseForm.completion(item).ifPresent(completions::add);
    }
    items.forEach(Fields::done);
    return Reply.ok(
        Map.of("runs", workers.complete(completions).stream().map(WorkerRoutes::view).toList()));
  }

  private static Map<String, @Nullable Object> view(Completed completed) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("id", completed.id().toString());
    view.put("answer", Texts.word(completed.answer()));
    view.put("state", completed.state().map(Texts::word).orElse(null));
    view.put("problem", problem(completed).orElse(null));
    return view;
  }

  private static Optional<Object> problem(Completed completed) {
    String run = Api.ROOT + "/runs/" + completed.id();
    return switch (completed.answer()) {
      case DONE -> Optional.empty();
      case FENCED ->
          Problem.of(
                  ProblemKind.REPORT_CONTRADICTED,
                  "The completion came too late and changed nothing: the run is %s."
                      .formatted(completed.state().map(Texts::word).orElse("over")))
              .reply(run)
              .value();
      case UNKNOWN ->
          Problem.of(ProblemKind.RUN_UNKNOWN, "There is no such run.").reply(run).value();
    };
  }
}
