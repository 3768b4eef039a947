package dev.carillon.server.watch;

import dev.carillon.server.read.Parameters;
import dev.carillon.server.web.Parameter;
import dev.carillon.server.web.Problem;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.store.ChangePlace;
import java.util.List;
import java.util.Optional;

/** What changes in the cluster, as server-sent events. */
public final class EventRoutes {
  private static final String MEDIA_TYPE = "text/event-stream";

  private final EventStream stream;

  /** Let clients listen to {@code stream}. */
  public EventRoutes(EventStream stream) {
    this.stream = stream;
  }

  /** Return the routes. */
  public List<Route> routes() {
    return List.of(
        Route.get("/api/v1/events", Role.VIEWER, "listenToEvents")
            .summary("Listen to what changes in the cluster, as server-sent events")
            .query(Parameter.text("schedule", "Of the schedule with this key."))
            .query(Parameter.text("target", "Runs of this target."))
            .query(Parameter.text("after", "After the event with this id, as Last-Event-ID says."))
            .as(MEDIA_TYPE)
            .answers(200, "EventStream")
            .by(this::listen));
  }

  Reply listen(Request request) {
    Parameters parameters = Parameters.of(request);
    Optional<String> last =
        request
            .header("Last-Event-ID")
            .filter(id -> !id.isEmpty())
            .or(() -> parameters.place("after"));
    Optional<String> schedule = parameters.text("schedule");
    Optional<String> target = parameters.text("target");
    Optional<ChangePlace> after = last.flatMap(ChangePlace::parse);
    if (last.isPresent() && after.isEmpty()) {
      parameters.mistake("after", "this is no id of an event; leave it out to begin now");
    }
    parameters.done();
    String caller = request.caller().identity();
    if (stream.fullFor(caller)) {
      throw Problem.of(
              ProblemKind.TOO_MANY_STREAMS,
              "You listen %s times already; close a stream, or share one."
                  .formatted(EventStream.MOST_OF_ONE))
          .header("Retry-After", "10")
          .refusal();
    }
    if (stream.full()) {
      throw Problem.of(
              ProblemKind.UNAVAILABLE,
              "%s listen already; try again later.".formatted(EventStream.MOST_LISTENERS))
          .header("Retry-After", "10")
          .refusal();
    }
    var wanted = new Listening.Wanted(schedule, target, after);
    return Reply.live(MEDIA_TYPE, outlet -> stream.join(caller, outlet, wanted))
        .header("X-Accel-Buffering", "no");
  }
}
