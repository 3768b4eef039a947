package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.PingDraft;
import dev.carillon.Pings;
import dev.carillon.model.Ping;
import dev.carillon.model.PingCheck;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.web.Problem;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The {@code /pings} resource: work that runs elsewhere, such as a crontab, and pings. */
record PingRoutes(Carillon carillon, PingForm form) {
  private static final String ALL = Api.ROOT + "/pings";
  private static final String ONE = ALL + "/{key}";
  private static final long MAX_MILLIS = Duration.ofDays(3_650).toMillis();

  List<Route> routes() {
    return List.of(
        Route.get(ALL, Role.VIEWER, "listPings")
            .reach(Reach.SCOPE)
            .summary("List the checks on work that runs elsewhere")
            .paged()
            .answers(200, "PingCheckPage", this::list),
        Route.get(ONE, Role.VIEWER, "getPing")
            .reach(Reach.SCOPE)
            .summary("Get a check with its last hundred pings")
            .answers(200, "PingCheckWithPings", this::get),
        Route.put(ONE, Role.EDITOR, "putPing")
            .reach(Reach.SCOPE)
            .summary("Define a check, or define it anew, which starts its clock anew")
            .takes("PingDefinition")
            .answers(200, "PingCheck")
            .answers(201, "PingCheck", this::put),
        Route.delete(ONE, Role.EDITOR, "deletePing")
            .reach(Reach.SCOPE)
            .summary("Delete a check and its pings")
            .answers(204, "", this::delete),
        pinging("", "ping", "Ping that the work succeeded", Ping.Kind.SUCCESS),
        pinging("/start", "pingStart", "Ping that the work begins", Ping.Kind.START),
        pinging("/success", "pingSuccess", "Ping that the work succeeded", Ping.Kind.SUCCESS),
        pinging("/fail", "pingFail", "Ping that the work failed", Ping.Kind.FAIL));
  }

  private Route pinging(String path, String operation, String summary, Ping.Kind kind) {
    return Route.post(ONE + path, Role.OPERATOR, operation)
        .reach(Reach.SCOPE)
        .summary(summary)
        .mayTake("PingReport")
        .answers(200, "PingCheck", request -> ping(request, kind));
  }

  private Pings pings(Request request) {
    return Api.in(request, carillon)
        .pings()
        .as(request.caller().name())
        .within(request.caller().scope());
  }

  Reply list(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    return PagedLists.reply(PagedLists.ask(parameters, pings(request)::page), PingView::of);
  }

  Reply get(Request request) {
    PingCheck check = find(request);
    return Reply.ok(PingView.whole(check, pings(request).recent(check.key())));
  }

  private PingCheck find(Request request) {
    String key = request.part("key");
    return pings(request).get(key).orElseThrow(() -> NotFound.ping(key));
  }

  Reply put(Request request) {
    JsonFields fields = JsonFields.of(request);
    Optional<PingDraft> draft = form.read(fields, request.part("key"));
    fields.done();
    boolean isNew = fields.doing("expect", () -> pings(request).put(draft.orElseThrow()));
    return Reply.json(isNew ? 201 : 200, PingView.of(find(request)));
  }

  Reply delete(Request request) {
    String key = request.part("key");
    if (!pings(request).delete(key)) {
      throw NotFound.ping(key);
    }
    return Reply.done();
  }

  Reply ping(Request request, Ping.Kind kind) {
    JsonFields fields = JsonFields.ofAny(request);
    Optional<Duration> duration = fields.whole("durationMs", 0, MAX_MILLIS).map(Duration::ofMillis);
    Optional<Integer> exitCode =
        fields.whole("exitCode", Integer.MIN_VALUE, Integer.MAX_VALUE).map(Math::toIntExact);
    Optional<String> output = fields.text("output");
    fields.done();
    String key = request.part("key");
    Pings.Answer answer =
        fields.doing("output", () -> pings(request).ping(key, kind, duration, exitCode, output));
    return switch (answer) {
      case HEARD -> Reply.ok(PingView.of(find(request)));
      case UNKNOWN -> throw NotFound.ping(key);
      case TOO_MANY ->
          throw Problem.of(
                  ProblemKind.TOO_MANY_PINGS,
                  "This ping was heard %s times within a minute; ping less often."
                      .formatted(Pings.MAX_PER_MINUTE))
              .header("Retry-After", "60")
              .problemException();
    };
  }
}
