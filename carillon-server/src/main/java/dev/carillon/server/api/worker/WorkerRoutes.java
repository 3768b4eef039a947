package dev.carillon.server.api.worker;

import dev.carillon.Carillon;
import dev.carillon.PullWorkers;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.WorkerInfo;
import dev.carillon.server.api.Api;
import dev.carillon.server.api.PagedLists;
import dev.carillon.server.api.Reachable;
import dev.carillon.server.api.RunView;
import dev.carillon.server.api.TargetLabels;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.web.CallerLimit;
import dev.carillon.server.web.Problem;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.server.web.SignInCheck;
import dev.carillon.target.Completion;
import dev.carillon.target.CompletionResult;
import dev.carillon.target.Lease;
import dev.carillon.target.LeasedRun;
import dev.carillon.target.Renewal;
import dev.carillon.target.StopReason;
import dev.carillon.targets.http.MessageEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The {@code /workers} resource: programs in any language that fetch runs and do them. */
public final class WorkerRoutes {
  private static final String ALL = Api.ROOT + "/workers";
  private static final int MAX_BATCH = 1_000;
  private static final Renewal LOST =
      new Renewal(Optional.of(StopReason.FENCED), "the lease is lost", Optional.empty());
  private static final int MAX_WAITING = 640;
  private static final int MAX_WAITING_OF_ONE = 256;

  private final Carillon carillon;
  private final PullWorkers workers;
  private final TargetLabels known;
  private final LongPollQueue queue;
  private final CallerLimit waiting = new CallerLimit(MAX_WAITING, MAX_WAITING_OF_ONE);

  public WorkerRoutes(Carillon carillon, TargetLabels known, SignInCheck signIns) {
    this.carillon = carillon;
    this.workers = carillon.pullWorkers();
    this.known = known;
    this.queue = new LongPollQueue(workers, signIns, WorkerRoutes::reply);
  }

  public List<Route> routes() {
    return List.of(
        Route.get(ALL, Role.VIEWER, "listWorkers")
            .reach(Reach.NOTHING)
            .summary("List the workers that are there")
            .paged()
            .answers(200, "WorkerPage", this::list),
        Route.post(ALL + "/claim", Role.OPERATOR, "claimRuns")
            .reach(Reach.SCOPE)
            .summary("Fetch due runs on lease, or wait for some")
            .takes("ClaimRequest")
            .repeatable()
            .answers(200, "Claimed", this::claim),
        Route.post(ALL + "/heartbeat", Role.OPERATOR, "renewLeases")
            .reach(Reach.SCOPE)
            .summary("Say what is still worked on, and learn what is not to be")
            .takes("HeartbeatRequest")
            .repeatable()
            .answers(200, "Renewals", this::heartbeat),
        Route.post(ALL + "/complete", Role.OPERATOR, "completeRuns")
            .reach(Reach.SCOPE)
            .summary("Say how runs ended; each has its own answer")
            .takes("Completions")
            .repeatable()
            .answers(200, "CompletionAnswers", this::complete));
  }

  Reply list(Request request) {
    List<WorkerInfo> all =
        workers.list().stream().sorted(Comparator.comparing(WorkerInfo::name)).toList();
    return PagedLists.reply(
        PagedLists.slice(QueryParameters.of(request), all, WorkerInfo::name), WorkerRoutes::view);
  }

  private static Map<String, @Nullable Object> view(WorkerInfo worker) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("id", worker.id().toString());
    view.put("name", worker.name());
    view.put("since", ContractText.of(worker.since()));
    view.put("seenAt", ContractText.of(worker.seenAt()));
    view.put("leaseUntil", ContractText.of(worker.leaseUntil()));
    view.put("inHand", worker.inHand());
    return view;
  }

  Reply claim(Request request) {
    ClaimRequest claim = ClaimRequest.read(JsonFields.of(request), known);
    List<LeasedRun> runs =
        workers.claim(claim.worker(), claim.targets(), claim.max(), claim.lease());
    return runs.isEmpty() && !claim.maxWait().isZero() ? waitFor(claim, request) : reply(runs);
  }

  private Reply waitFor(ClaimRequest claim, Request request) {
    String caller = request.caller().identity();
    if (!waiting.take(caller)) {
      throw (waiting.noneFor(caller)
              ? Problem.of(
                  ProblemKind.TOO_MANY_WAITS,
                  "%s of your claims wait already; claim for more runs at a time, or leave out wait."
                      .formatted(MAX_WAITING_OF_ONE))
              : Problem.of(
                  ProblemKind.UNAVAILABLE,
                  "%s claims wait already; try again later.".formatted(MAX_WAITING)))
          .header("Retry-After", "5")
          .problemException();
    }
    try {
      Reply reply = queue.enter(claim, request);
      if (reply.content() instanceof Reply.Later later) {
        var unused = later.reply().whenComplete((known, failure) -> waiting.leave(caller));
      } else {
        waiting.leave(caller);
      }
      return reply;
    } catch (RuntimeException e) {
      waiting.leave(caller);
      throw e;
    }
  }

  private static Reply reply(List<LeasedRun> runs) {
    return Reply.ok(Map.of("runs", runs.stream().map(WorkerRoutes::view).toList()));
  }

  private static Map<String, @Nullable Object> view(LeasedRun leasedRun) {
    Map<String, @Nullable Object> view = RunView.of(leasedRun.run());
    view.put("source", MessageEvent.source(leasedRun.run().schedule()));
    view.put("fence", leasedRun.lease().fence());
    view.put("leaseUntil", ContractText.of(leasedRun.until()));
    return view;
  }

  Reply heartbeat(Request request) {
    JsonFields fields = JsonFields.of(request);
    Optional<String> worker = ClaimRequest.worker(fields);
    Duration lease = ClaimRequest.lease(fields);
    var leases = new ArrayList<Lease>();
    for (JsonFields run : fields.objects("runs", MAX_BATCH).orElse(List.of())) {
      LeaseForm.read(run).ifPresent(leases::add);
    }
    fields.done();
    Set<RunId> reached =
        Reachable.runs(carillon, request).reached(leases.stream().map(Lease::id).toList());
    var renewals = new LinkedHashMap<RunId, Renewal>();
    leases.forEach(one -> renewals.put(one.id(), LOST));
    renewals.putAll(
        workers.heartbeat(
            worker.orElseThrow(),
            leases.stream().filter(one -> reached.contains(one.id())).toList(),
            lease));
    return Reply.ok(
        Map.of(
            "runs",
            renewals.entrySet().stream().map(one -> view(one.getKey(), one.getValue())).toList()));
  }

  private static Map<String, @Nullable Object> view(RunId id, Renewal renewal) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("id", id.toString());
    view.put("goOn", renewal.shouldContinue());
    view.put("stop", renewal.stop().map(ContractText::word).orElse(null));
    view.put("reason", renewal.shouldContinue() ? null : renewal.reason());
    view.put("leaseUntil", RunView.written(renewal.until()));
    return view;
  }

  Reply complete(Request request) {
    var completions = new ArrayList<Completion>();
    List<JsonFields> items = JsonFields.list(request, MAX_BATCH);
    for (JsonFields item : items) {
      LeaseForm.completion(item).ifPresent(completions::add);
    }
    items.forEach(JsonFields::done);
    return Reply.ok(
        Map.of("runs", completed(request, completions).stream().map(WorkerRoutes::view).toList()));
  }

  /* What the caller does not reach is answered as a run that there is not. */
  private List<CompletionResult> completed(Request request, List<Completion> completions) {
    Set<RunId> reached =
        Reachable.runs(carillon, request)
            .reached(completions.stream().map(one -> one.lease().id()).toList());
    Iterator<CompletionResult> answers =
        workers
            .complete(
                completions.stream().filter(one -> reached.contains(one.lease().id())).toList())
            .iterator();
    return completions.stream()
        .map(one -> one.lease().id())
        .map(
            id ->
                reached.contains(id)
                    ? answers.next()
                    : new CompletionResult(id, CompletionResult.Answer.UNKNOWN, Optional.empty()))
        .toList();
  }

  private static Map<String, @Nullable Object> view(CompletionResult completionResult) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("id", completionResult.id().toString());
    view.put("answer", ContractText.word(completionResult.answer()));
    view.put("state", completionResult.state().map(ContractText::word).orElse(null));
    view.put("problem", problem(completionResult).orElse(null));
    return view;
  }

  private static Optional<Object> problem(CompletionResult completionResult) {
    String run = Api.ROOT + "/runs/" + completionResult.id();
    return switch (completionResult.answer()) {
      case DONE -> Optional.empty();
      case FENCED ->
          Problem.of(
                  ProblemKind.REPORT_CONTRADICTED,
                  (completionResult.state().filter(RunState.RUNNING::equals).isPresent()
                          ? "The completion changed nothing: the run is %s, and the fence is not that of its"
                              + " lease."
                          : "The completion came too late and changed nothing: the run is %s.")
                      .formatted(completionResult.state().map(ContractText::word).orElse("over")))
              .reply(run)
              .value();
      case UNKNOWN ->
          Problem.of(ProblemKind.RUN_UNKNOWN, "There is no such run.").reply(run).value();
    };
  }
}
