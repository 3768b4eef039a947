package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.FoundSchedules;
import dev.carillon.Schedules;
import dev.carillon.model.Pause;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.web.KeyedRequest;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;

/** Doing the same with many schedules. */
record BulkRoutes(Carillon carillon) {
  private static final int MAX_REASON = 1_000;
  private static final int MAX_KEYS = ScheduleFilter.MAX_LIMIT;

  /** What can be done with many. */
  private enum Action {
    PAUSE,
    RESUME,
    RUN,
    DELETE
  }

  List<Route> routes() {
    return List.of(
        Route.post(Api.ROOT + "/schedules/bulk", Role.OPERATOR, "changeSchedules")
            .reach(Reach.SCOPE)
            .summary("Pause, resume, run or delete all schedules that match a filter")
            .takes("BulkRequest")
            .inBatches()
            .answers(200, "BulkResult", this::change));
  }

  Reply change(Request request) {
    JsonFields fields = JsonFields.of(request);
    fields.require("action", "say what to do: pause, resume, run or delete");
    Optional<Action> action = fields.word("action", Action.class);
    Optional<String> reason = fields.needed("reason", "say why: the audit keeps it", MAX_REASON);
    Wanted wanted = fields.object("filter").map(Wanted::read).orElse(Wanted.ALL);
    Optional<Pause> pause =
        action.filter(Action.PAUSE::equals).flatMap(any -> PauseForm.read(fields, reason));
    if (action.filter(Action.PAUSE::equals).isEmpty()) {
      refuse(fields, "from", "only a pause has a beginning; leave it out");
      refuse(fields, "until", "only a pause has an end; leave it out");
    }
    BulkScope scope = BulkScope.read(fields);
    scope.checkFilter(fields, wanted.narrows(), "payload, target, tag, q, status or keys");
    fields.done();
    if (action.orElseThrow() == Action.DELETE && !request.caller().role().covers(Role.EDITOR)) {
      throw new ProblemException(
          ProblemKind.FORBIDDEN,
          "Deleting needs the role editor; yours is %s.".formatted(request.caller().role().word()));
    }
    Function<FoundSchedules, Long> change =
        found ->
            fields.doing("until", () -> done(found, action.get(), reason.orElseThrow(), pause));
    FoundSchedules found = wanted.find(Reachable.schedules(carillon, request));
    String word = ContractText.word(action.get());
    if (scope.dryRun()) {
      scope.check(found.count());
      return reply(word, true, progress(found), 0);
    }
    return changed(request.keyed(), found, scope, word, change);
  }

  private static Reply changed(
      Optional<KeyedRequest> keyed,
      FoundSchedules found,
      BulkScope scope,
      String action,
      Function<FoundSchedules, Long> change) {
    Optional<BatchProgress> before = keyed.flatMap(KeyedRequest::progress).map(BatchProgress::read);
    if (before.isEmpty()) {
      scope.check(found.count());
    }
    BatchProgress progress = before.orElseGet(() -> progress(found));
    LongFunction<Reply> answer = count -> reply(action, false, progress, count);
    FoundSchedules left =
        progress.mark().map(mark -> found.after(mark, progress.end())).orElse(found);
    return answer.apply(
        change.apply(
            keyed.map(request -> left.loggedBy(progress.log(request, answer))).orElse(left)));
  }

  private static BatchProgress progress(FoundSchedules found) {
    return BatchProgress.of(found.count(), found.first(), found.end());
  }

  private static Reply reply(String action, boolean dryRun, BatchProgress progress, long changed) {
    var body = new LinkedHashMap<String, Object>();
    body.put("action", action);
    body.put("dryRun", dryRun);
    body.put("matched", progress.matched());
    body.put("first", progress.first());
    body.put("schedules", changed);
    return Reply.ok(body);
  }

  private static void refuse(JsonFields fields, String name, String why) {
    if (fields.instant(name).isPresent()) {
      fields.error(name, why);
    }
  }

  private static long done(
      FoundSchedules found, Action action, String reason, Optional<Pause> pause) {
    return switch (action) {
      case PAUSE -> found.pause(pause.orElseThrow());
      case RESUME -> found.resume(reason);
      case RUN -> found.runNow(reason);
      case DELETE -> found.retire(reason);
    };
  }

  /**
   * Which schedules are meant: those that a filter matches, or those that are named.
   *
   * @param keys the names; without them the filter counts
   */
  private record Wanted(ScheduleFilter filter, Optional<List<String>> keys) {
    private static final Wanted ALL = new Wanted(ScheduleFilter.all(), Optional.empty());

    static Wanted read(JsonFields fields) {
      var wanted = new Wanted(filter(fields), fields.texts("keys", MAX_KEYS));
      if (wanted.keys.filter(List::isEmpty).isPresent()) {
        fields.error("keys", "name at least one schedule, or leave it out");
      }
      if (wanted.keys.isPresent() && wanted.filter.narrows()) {
        fields.error("keys", "name schedules by their keys, or by other fields, not by both");
      }
      return wanted;
    }

    boolean narrows() {
      return keys.isPresent() || filter.narrows();
    }

    FoundSchedules find(Schedules schedules) {
      return keys.map(schedules::findNamed).orElseGet(() -> schedules.findAll(filter));
    }

    private static ScheduleFilter filter(JsonFields fields) {
      ScheduleFilter filter = ScheduleFilter.all();
      filter =
          fields.set(filter, "status", fields.word("status", StatusText.class), StatusText::apply);
      filter = fields.set(filter, "target", fields.text("target"), ScheduleFilter::target);
      filter = fields.set(filter, "tag", fields.text("tag"), ScheduleFilter::tag);
      filter = fields.set(filter, "q", fields.text("q"), ScheduleFilter::text);
      return fields.set(filter, "payload", fields.payload("payload"), ScheduleFilter::payload);
    }
  }
}
