package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.RunDraft;
import dev.carillon.Runs;
import dev.carillon.definition.DefinitionFields;
import dev.carillon.json.AsciiText;
import dev.carillon.model.Failure;
import dev.carillon.model.Payload;
import dev.carillon.model.PayloadUse;
import dev.carillon.model.Report;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.RunTimes;
import dev.carillon.model.Trigger;
import dev.carillon.policy.Recovery;
import dev.carillon.policy.Retry;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.QueryParameter;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.PeriodDuration;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** The {@code /runs} resource: what is pending, running and over, and work without a schedule. */
public record RunRoutes(Carillon carillon, TargetLabels targets, TimingForm timings) {
  private static final String ALL = Api.ROOT + "/runs";
  private static final String ONE = ALL + "/{id}";

  List<Route> routes() {
    return List.of(
        filtered(Route.get(ALL, Role.VIEWER, "listRuns"))
            .reach(Reach.SCOPE)
            .summary("List what is due, running or over, and what is planned if asked for")
            .query(
                QueryParameter.word("state", ContractText.words(RunState.class), "In this state."))
            .query(PlannedRunsFilter.PARAMETER)
            .query(QueryParameter.format("startedFrom", "date-time", "Started at or after this."))
            .query(QueryParameter.format("startedTo", "date-time", "Started before this."))
            .query(QueryParameter.format("finishedFrom", "date-time", "Over at or after this."))
            .query(QueryParameter.format("finishedTo", "date-time", "Over before this."))
            .query(QueryParameter.format("shortest", "duration", "That took at least this."))
            .query(QueryParameter.format("longest", "duration", "That took at most this."))
            .query(PagedLists.INCLUDE)
            .paged()
            .answers(200, "RunPage", this::list),
        Route.post(ALL, Role.OPERATOR, "createRun")
            .reach(Reach.SCOPE)
            .summary("Run something once, now or later, without a schedule")
            .takes("NewRun")
            .answers(202, "Run", request -> in(request).create(request)),
        Route.delete(ALL, Role.OPERATOR, "cancelRuns")
            .reach(Reach.SCOPE)
            .summary("Cancel all runs with a correlation or a payload that have not started")
            .query(QueryParameter.text("correlation", "The word they share."))
            .query(
                QueryParameter.text(
                    "payload",
                    "The JSON object that the payloads of runs without a schedule contain."))
            .query(ScheduleRoutes.EXPECT)
            .answers(200, "Canceled", this::cancelAll),
        Route.get(ONE, Role.VIEWER, "getRun")
            .reach(Reach.SCOPE)
            .summary("Get a run with its attempts")
            .answers(200, "RunWithAttempts", this::get),
        Route.post(ONE + "/cancel", Role.OPERATOR, "cancelRun")
            .reach(Reach.SCOPE)
            .summary("Cancel a run: at once if it has not started, else by asking it to stop")
            .takes("CancelRequest")
            .answers(202, "Run", request -> in(request).cancel(request)),
        Route.post(ONE + "/retry", Role.OPERATOR, "retryRun")
            .reach(Reach.SCOPE)
            .summary("Run a failed, canceled or skipped run again")
            .mayTake("RetryRequest")
            .answers(202, "Run", request -> in(request).retry(request)),
        Route.post(ONE + "/status", Role.OPERATOR, "reportRun")
            .reach(Reach.SCOPE)
            .summary("Report what became of a run that was accepted elsewhere")
            .takes("StatusReport")
            .answers(200, "Run", request -> in(request).report(request)));
  }

  private RunRoutes in(Request request) {
    return new RunRoutes(Api.in(request, carillon), targets, timings);
  }

  static Route.Draft filtered(Route.Draft draft) {
    return draft
        .query(QueryParameter.text("schedule", "Of the schedule with this key."))
        .query(QueryParameter.text("target", "Of this target."))
        .query(QueryParameter.word("trigger", ContractText.words(Trigger.class), "Caused by this."))
        .query(QueryParameter.format("node", "uuid", "That this node has or had."))
        .query(QueryParameter.text("correlation", "With this word."))
        .query(QueryParameter.text("payload", "Whose payload contains this JSON object."))
        .query(QueryParameter.format("from", "date-time", "With a slot at or after this."))
        .query(QueryParameter.format("to", "date-time", "With a slot before this."))
        .query(
            QueryParameter.text(
                "q", "With this text in schedule, target, correlation, failure or id."));
  }

  Reply list(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    RunFilter given =
        parameters.set(
            filter(parameters),
            "state",
            parameters.word("state", RunState.class),
            RunFilter::state);
    given = given.times(times(parameters));
    RunFilter filter = PlannedRunsFilter.read(parameters, given, carillon.clock().instant());
    PayloadUse payloads = PagedLists.payloads(parameters);
    return PagedLists.reply(
        PagedLists.ask(
            parameters, (after, limit) -> runs(request).page(filter, after, limit, payloads)),
        run -> DefinitionView.listed(RunView.of(run), payloads));
  }

  static RunFilter filter(QueryParameters parameters) {
    RunFilter filter = RunFilter.all();
    filter = parameters.set(filter, "schedule", parameters.text("schedule"), RunFilter::schedule);
    filter = parameters.set(filter, "target", parameters.text("target"), RunFilter::target);
    filter =
        parameters.set(
            filter, "trigger", parameters.word("trigger", Trigger.class), RunFilter::trigger);
    filter =
        parameters.set(filter, "node", parameters.read("node", RunRoutes::uuid), RunFilter::node);
    filter =
        parameters.set(
            filter, "correlation", parameters.text("correlation"), RunFilter::correlation);
    filter = parameters.set(filter, "q", parameters.text("q"), RunFilter::text);
    filter =
        parameters.set(filter, "payload", parameters.somePayload("payload"), RunFilter::payload);
    Instant from = parameters.instant("from").orElse(Instant.MIN);
    Instant to = parameters.instant("to").orElse(Instant.MAX);
    parameters.checkPeriod(from, to);
    return filter.between(from, to);
  }

  private static RunTimes times(QueryParameters parameters) {
    return new RunTimes(
        parameters.instant("startedFrom"),
        parameters.instant("startedTo"),
        parameters.instant("finishedFrom"),
        parameters.instant("finishedTo"),
        parameters.read("shortest", ContractText::duration),
        parameters.read("longest", ContractText::duration));
  }

  static UUID uuid(String text) {
    if (!AsciiText.isUuid(text)) {
      throw new InvalidValueException("this is no id of a node; GET /api/v1/nodes lists them");
    }
    return UUID.fromString(text);
  }

  Reply create(Request request) {
    JsonFields fields = JsonFields.of(request);
    Optional<RunDraft> draft = draft(fields);
    fields.done();
    RunId id = fields.doing("in", () -> runs(request).enqueue(draft.orElseThrow()));
    Run run = find(request, id);
    return Reply.json(202, targets.warn(RunView.of(run), run.target()))
        .header("Location", ALL + "/" + id);
  }

  private Optional<RunDraft> draft(JsonFields fields) {
    Optional<String> target = targets.read(fields);
    Optional<Payload> payload = fields.payload("payload");
    Optional<Instant> at = fields.instant("at");
    Optional<PeriodDuration> in = fields.amount("in");
    ZoneId zone = timings.delayZone(fields);
    Optional<Boolean> template = fields.flag("template").filter(filledIn -> filledIn);
    Optional<String> correlation = fields.text("correlation");
    Optional<String> overlapKey = fields.text("overlapKey");
    Optional<Retry> retry = DefinitionFields.RETRY.read(fields);
    Optional<Recovery> recovery = fields.word("recovery", Recovery.class);
    Optional<Duration> timeout = fields.duration("timeout");
    Optional<String> timeoutCalendar = fields.text("timeoutCalendar");
    Optional<String> calendar = fields.text("calendar");
    if (calendar.isPresent() && !fields.has("in")) {
      fields.error("calendar", "a calendar counts the working time of in; set in, or leave it out");
    }
    if (timeoutCalendar.isPresent() && !fields.has("timeout")) {
      fields.error(
          "timeoutCalendar",
          "a calendar counts the working time of timeout; set timeout, or leave it out");
    }
    Optional<String> description = fields.text("description");
    Optional<UnaryOperator<RunDraft>> deadline = RunDeadlineForm.read(fields, "deadline");
    if (fields.has("at") && fields.has("in")) {
      fields.error("in", "a run has either at or in, not both");
    }
    return target
        .flatMap(label -> fields.tried("target", () -> RunDraft.of(label)))
        .map(draft -> fields.set(draft, "payload", payload, RunDraft::payload))
        .map(draft -> fields.set(draft, "template", template, (work, is) -> work.template(zone)))
        .map(draft -> fields.set(draft, "at", at, RunDraft::at))
        .map(
            draft ->
                fields.set(
                    draft, "in", in, (work, delay) -> WorkingDelay.of(work, delay, zone, calendar)))
        .map(draft -> fields.set(draft, "correlation", correlation, RunDraft::correlation))
        .map(draft -> fields.set(draft, "overlapKey", overlapKey, RunDraft::overlapKey))
        .map(draft -> fields.set(draft, "retry", retry, RunDraft::retry))
        .map(draft -> fields.set(draft, "recovery", recovery, RunDraft::recovery))
        .map(
            draft ->
                fields.set(
                    draft,
                    "timeout",
                    timeout,
                    (work, most) ->
                        timeoutCalendar
                            .map(name -> work.timeout(most, name))
                            .orElseGet(() -> work.timeout(most))))
        .map(draft -> fields.set(draft, "description", description, RunDraft::description))
        .map(draft -> fields.set(draft, "deadline", deadline, (work, by) -> by.apply(work)));
  }

  Reply cancelAll(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    Optional<String> correlation = parameters.text("correlation");
    Optional<Payload> payload = parameters.somePayload("payload");
    if (correlation.isPresent() == payload.isPresent()) {
      parameters.error(
          "correlation",
          "canceling many runs needs either the correlation they share or what their payloads"
              + " contain");
    }
    Optional<Integer> expect = parameters.whole("expect", 0, Integer.MAX_VALUE);
    if (expect.isPresent() && payload.isPresent()) {
      parameters.error("expect", "runs are counted by their correlation only; leave it out");
    }
    parameters.done();
    String reason = "canceled by " + request.caller().name();
    Runs runs = runs(request);
    int canceled =
        payload
            .map(part -> runs.cancelAll(part, reason))
            .orElseGet(
                () ->
                    parameters.doing(
                        "correlation",
                        () -> canceled(runs, correlation.orElseThrow(), reason, expect)));
    return Reply.ok(Map.of("canceled", canceled));
  }

  private static int canceled(Runs runs, String word, String reason, Optional<Integer> expect) {
    return expect.isEmpty()
        ? runs.cancelAll(word, reason)
        : runs.cancelAll(word, reason, expect.get())
            .orElseThrow(
                () ->
                    BulkScope.changed(
                        expect.get(), "another number of runs has not started by now"));
  }

  Reply get(Request request) {
    return Reply.ok(RunView.whole(find(request, NotFound.runId(request))));
  }

  Reply cancel(Request request) {
    JsonFields fields = JsonFields.of(request);
    Optional<String> reason = fields.needed("reason", "canceling needs a reason");
    fields.done();
    RunId id = NotFound.runId(request);
    Run before = find(request, id);
    if (fields.doing("reason", () -> runs(request).cancel(id, reason.orElseThrow())).isEmpty()) {
      throw new ProblemException(
          ProblemKind.RUN_NOT_ACTIVE,
          "The run is over: it is %s.".formatted(ContractText.word(before.state())));
    }
    return Reply.json(202, RunView.of(find(request, id)));
  }

  Reply retry(Request request) {
    JsonFields fields = JsonFields.ofAny(request);
    Optional<Payload> payload = fields.payload("payload");
    fields.done();
    RunId id = NotFound.runId(request);
    Run before = find(request, id);
    Runs runs = runs(request);
    Run again =
        payload
            .map(given -> fields.doing("payload", () -> runs.retry(id, given)))
            .orElseGet(() -> runs.retry(id))
            .orElseThrow(
                () ->
                    new ProblemException(
                        ProblemKind.RUN_NOT_REPEATABLE,
                        "Only what failed, was canceled or skipped is run again; this run is %s."
                            .formatted(ContractText.word(before.state()))));
    return Reply.json(202, RunView.of(again));
  }

  Reply report(Request request) {
    JsonFields fields = JsonFields.of(request);
    Optional<Report> report = report(fields);
    fields.done();
    RunId id = NotFound.runId(request);
    Report given = report.orElseThrow();
    if (runs(request).report(id, given).isEmpty()) {
      throw NotFound.run();
    }
    Run run = find(request, id);
    if (!given.agreesWith(run)) {
      throw new ProblemException(
          ProblemKind.REPORT_CONTRADICTED,
          (run.state() == RunState.RUNNING
                  ? "The report changed nothing: the run is %s, at attempt %s; while a worker has it on"
                      + " lease, its fence is needed."
                  : "The report came too late and changed nothing: the run is %s, at attempt %s.")
              .formatted(ContractText.word(run.state()), run.attempt()));
    }
    return Reply.ok(RunView.of(run));
  }

  private static Optional<Report> report(JsonFields fields) {
    fields.require("status", "say what happened: started, succeeded or failed");
    Optional<Report.Status> news = fields.word("status", Report.Status.class);
    Optional<String> externalId = fields.text("externalId");
    Optional<Long> attempt = fields.whole("attempt", 1, Integer.MAX_VALUE);
    Optional<String> fence = fields.text("fence");
    Optional<JsonFields> given = fields.object("failure");
    Optional<Failure> failure = given.flatMap(RunRoutes::failure);
    if (news.isEmpty() || (given.isPresent() && failure.isEmpty())) {
      return Optional.empty();
    }
    boolean failed = news.get() == Report.Status.FAILED;
    if (given.isPresent() && !failed) {
      fields.error("failure", "only a run that failed has a failure; leave it out");
    }
    Report plain =
        switch (news.get()) {
          case STARTED -> Report.started();
          case SUCCEEDED -> Report.succeeded();
          case FAILED ->
              Report.failed(failure.orElseGet(() -> Failure.of("reported", "reported as failed")));
        };
    Report named = fields.set(plain, "externalId", externalId, Report::externalId);
    Report proved = fields.set(named, "fence", fence, Report::fence);
    return Optional.of(
        fields.set(proved, "attempt", attempt.map(Math::toIntExact), Report::forAttempt));
  }

  public static Optional<Failure> failure(JsonFields fields) {
    Optional<String> code = fields.needed("code", "a failure needs a code, such as timeout");
    Optional<String> message = fields.text("message");
    Optional<String> details = fields.textOrJson("details");
    return code.flatMap(
        word -> fields.tried("code", () -> new Failure(word, message.orElse(""), details)));
  }

  private Run find(Request request, RunId id) {
    return runs(request).get(id).orElseThrow(NotFound::run);
  }

  private Runs runs(Request request) {
    return Reachable.runs(carillon, request);
  }
}
