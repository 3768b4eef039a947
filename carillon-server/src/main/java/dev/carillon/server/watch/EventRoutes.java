package dev.carillon.server.watch;

import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.store.ChangePosition;
import dev.carillon.server.web.Caller;
import dev.carillon.server.web.Problem;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.QueryParameter;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.util.List;
import java.util.Optional;

/**
 * What changes in the cluster, as server-sent events.
 *
 * @param stream what clients listen to
 */
public record EventRoutes(EventStream stream) {
  private static final String MEDIA_TYPE = "text/event-stream";

  /** Return the routes. */
  public List<Route> routes() {
    return List.of(
        Route.get("/api/v1/events", Role.VIEWER, "listenToEvents")
            .reach(Reach.SCOPE)
            .summary("Listen to what changes in the cluster, as server-sent events")
            .query(QueryParameter.text("schedule", "Of the schedule with this key."))
            .query(QueryParameter.text("target", "Runs of this target."))
            .query(
                QueryParameter.text(
                    "after", "After the event with this id, as Last-Event-ID says."))
            .as(MEDIA_TYPE)
            .answers(200, "EventStream", this::listen));
  }

  Reply listen(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    Optional<String> last =
        request
            .header("Last-Event-ID")
            .filter(id -> !id.isEmpty())
            .or(() -> parameters.place("after"));
    Optional<String> schedule = parameters.text("schedule");
    Optional<String> target = parameters.text("target");
    Optional<ChangePosition> after = last.flatMap(ChangePosition::parse);
    if (last.isPresent() && after.isEmpty()) {
      parameters.error("after", "this is no id of an event; leave it out to begin now");
    }
    parameters.done();
    Caller caller = request.caller();
    if (stream.fullFor(caller.identity())) {
      throw Problem.of(
              ProblemKind.TOO_MANY_STREAMS,
              "You listen %s times already; close a stream, or share one."
                  .formatted(EventStream.MAX_OF_ONE))
          .header("Retry-After", "10")
          .problemException();
    }
    if (stream.full()) {
      throw Problem.of(
              ProblemKind.UNAVAILABLE,
              "%s listen already; try again later.".formatted(EventStream.MAX_LISTENERS))
          .header("Retry-After", "10")
          .problemException();
    }
    var wanted = new EventSubscriber.Wanted(schedule, target, after);
    return Reply.live(MEDIA_TYPE, sink -> stream.join(caller, sink, wanted))
        .header("X-Accel-Buffering", "no");
  }
}
