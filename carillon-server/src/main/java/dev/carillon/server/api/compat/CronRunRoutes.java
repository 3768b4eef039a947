package dev.carillon.server.api.compat;

import dev.carillon.Carillon;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.Trigger;
import dev.carillon.server.api.NotFound;
import dev.carillon.server.api.PagedLists;
import dev.carillon.server.api.PlannedRunsFilter;
import dev.carillon.server.api.Reachable;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.QueryParameter;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.time.Instant;
import java.util.List;

/** The contract of a cron jobs platform: the history of its runs. */
public record CronRunRoutes(Carillon carillon) {
  private static final String ALL = CronJobRoutes.ROOT + "/runs";
  private static final List<String> TRIGGERS =
      List.of(
          ContractText.word(Trigger.SCHEDULED),
          ContractText.word(Trigger.MANUAL),
          ContractText.word(Trigger.AD_HOC));

  public List<Route> routes() {
    return List.of(
        Route.get(ALL, Role.ADMIN, "listCronRuns")
            .summary("List runs, the latest scheduled first; planned ones by status or to")
            .query(QueryParameter.text("jobKey", "Of the jobs with this key."))
            .query(
                QueryParameter.word(
                    "status", ContractText.words(RunState.class), "With this status."))
            .query(QueryParameter.text("target", "Of this target."))
            .query(QueryParameter.word("triggerType", TRIGGERS, "Caused by this."))
            .query(QueryParameter.format("from", "date-time", "Scheduled at or after this."))
            .query(QueryParameter.format("to", "date-time", "Scheduled before this."))
            .paged()
            .answers(200, "CronRunPage", this::list),
        Route.get(ALL + "/{id}", Role.ADMIN, "getCronRun")
            .summary("Get a run")
            .answers(200, "CronRun", this::get));
  }

  Reply list(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    RunFilter filter = RunFilter.all();
    filter = parameters.set(filter, "jobKey", parameters.text("jobKey"), RunFilter::schedule);
    filter =
        parameters.set(
            filter, "status", parameters.word("status", RunState.class), RunFilter::state);
    filter = parameters.set(filter, "target", parameters.text("target"), RunFilter::target);
    filter =
        parameters.set(
            filter,
            "triggerType",
            parameters.word("triggerType", Trigger.class),
            RunFilter::trigger);
    Instant from = parameters.instant("from").orElse(Instant.MIN);
    Instant to = parameters.instant("to").orElse(Instant.MAX);
    parameters.checkPeriod(from, to);
    RunFilter wanted =
        PlannedRunsFilter.unlessAskedFor(filter.between(from, to), carillon.clock().instant());
    return PagedLists.reply(
        PagedLists.ask(
            parameters,
            (after, limit) -> Reachable.runs(carillon, request).page(wanted, after, limit)),
        CronJobView::of);
  }

  Reply get(Request request) {
    return RunId.parse(request.part("id"))
        .flatMap(Reachable.runs(carillon, request)::get)
        .map(run -> Reply.ok(CronJobView.of(run)))
        .orElseThrow(
            () ->
                NotFound.listed(
                    ProblemKind.RUN_UNKNOWN, "There is no such run, or not any more", ALL));
  }
}
