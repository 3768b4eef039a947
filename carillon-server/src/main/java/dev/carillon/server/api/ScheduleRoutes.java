package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.FoundSchedules;
import dev.carillon.ScheduleDraft;
import dev.carillon.Schedules;
import dev.carillon.model.ChangeResult;
import dev.carillon.model.ChangeResult.Change;
import dev.carillon.model.Page;
import dev.carillon.model.PayloadUse;
import dev.carillon.model.RecentRun;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.UpcomingSlot;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The {@code /schedules} resource: defining, finding and retiring schedules. */
record ScheduleRoutes(Carillon carillon, ScheduleForm form, TargetLabels known) {
  private static final String ALL = Api.ROOT + "/schedules";
  private static final String ONE = ALL + "/{key}";
  private static final int NEXT = 5;
  static final QueryParameter EXPECT =
      QueryParameter.whole(
          "expect", 0, Integer.MAX_VALUE, "How many are to be changed; another number is refused.");
  private static final int RECENT = 20;
  private static final int MAX_TRIES = 10;

  List<Route> routes() {
    return List.of(
        filtered(Route.get(ALL, Role.VIEWER, "listSchedules"))
            .reach(Reach.SCOPE)
            .summary("List schedules by key")
            .query(PagedLists.INCLUDE)
            .query(QueryParameter.flag("recent", "With the latest twenty runs of each."))
            .paged()
            .answers(200, "SchedulePage", this::list),
        Route.post(ALL, Role.EDITOR, "createSchedule")
            .reach(Reach.SCOPE)
            .summary("Create a schedule with a given or generated key")
            .takes("NewSchedule")
            .answers(201, "Schedule", request -> in(request).create(request)),
        filtered(Route.delete(ALL, Role.EDITOR, "deleteSchedules"))
            .reach(Reach.SCOPE)
            .summary("Retire all schedules that match a filter")
            .query(EXPECT)
            .answers(200, "Retired", this::deleteAll),
        Route.get(ONE, Role.VIEWER, "getSchedule")
            .reach(Reach.SCOPE)
            .summary("Get a schedule, its next fires and its latest runs")
            .answers(200, "Schedule", this::get),
        Route.put(ONE, Role.EDITOR, "putSchedule")
            .reach(Reach.SCOPE)
            .summary("Create a schedule, or make a new version of it if the definition differs")
            .query(QueryParameter.flag("dryRun", "Only tell what would change."))
            .takes("ScheduleDefinition")
            .answers(200, "ScheduleOrDryRun")
            .answers(201, "Schedule", this::put),
        Route.patch(ONE, Role.EDITOR, "patchSchedule")
            .reach(Reach.SCOPE)
            .summary("Make a new version of a schedule by a JSON merge patch")
            .query(QueryParameter.flag("dryRun", "Only tell what would change."))
            .takes("SchedulePatch")
            .answers(200, "ScheduleOrDryRun", this::patch),
        Route.delete(ONE, Role.EDITOR, "deleteSchedule")
            .reach(Reach.SCOPE)
            .summary("Retire a schedule; its history stays")
            .answers(200, "Schedule", this::delete));
  }

  private ScheduleRoutes in(Request request) {
    return new ScheduleRoutes(Api.in(request, carillon), form, known);
  }

  private static Route.Draft filtered(Route.Draft draft) {
    return draft
        .query(
            QueryParameter.word(
                "status",
                ContractText.words(StatusText.class),
                "With this status; completed and retired only if said."))
        .query(QueryParameter.text("target", "With this target."))
        .query(QueryParameter.text("tag", "With this tag."))
        .query(QueryParameter.text("q", "With this text in key, target or description."))
        .query(QueryParameter.text("payload", "Whose payload contains this JSON object."));
  }

  Reply list(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    ScheduleFilter filter = filter(parameters);
    PayloadUse payloads = PagedLists.payloads(parameters);
    boolean strip = parameters.flag("recent");
    Page<Schedule> page =
        PagedLists.ask(
            parameters, (after, limit) -> schedules(request).page(filter, after, limit, payloads));
    Map<String, List<UpcomingSlot>> next = schedules(request).upcoming(page.items(), 1);
    Map<String, List<RecentRun>> last =
        Reachable.runs(carillon, request)
            .recent(page.items().stream().map(Schedule::key).toList(), strip ? RECENT : 1);
    return PagedLists.reply(
        page,
        schedule -> {
          List<UpcomingSlot> slots = next.getOrDefault(schedule.key(), List.of());
          List<RecentRun> runs = last.getOrDefault(schedule.key(), List.of());
          return DefinitionView.listed(
              strip
                  ? ScheduleView.whole(schedule, slots, runs)
                  : ScheduleView.listed(schedule, slots, runs),
              payloads);
        });
  }

  static ScheduleFilter filter(QueryParameters parameters) {
    ScheduleFilter filter = ScheduleFilter.all();
    filter =
        parameters.set(
            filter, "status", parameters.word("status", StatusText.class), StatusText::apply);
    filter = parameters.set(filter, "target", parameters.text("target"), ScheduleFilter::target);
    filter = parameters.set(filter, "tag", parameters.text("tag"), ScheduleFilter::tag);
    filter = parameters.set(filter, "q", parameters.text("q"), ScheduleFilter::text);
    return parameters.set(
        filter, "payload", parameters.payload("payload"), ScheduleFilter::payload);
  }

  Reply create(Request request) {
    JsonFields fields = JsonFields.of(request);
    Optional<ScheduleDraft> draft = form.readAnew(fields);
    fields.done();
    ChangeResult changeResult =
        fields.doing("timing", () -> schedules(request).create(draft.orElseThrow()));
    if (changeResult.change() == Change.TAKEN
        && changeResult.schedule().status() == ScheduleStatus.RETIRED) {
      throw new ProblemException(
          ProblemKind.SCHEDULE_RETIRED,
          "Schedule '%s' is retired and keeps its key; PUT it to make it fire again."
              .formatted(changeResult.schedule().key()));
    }
    if (changeResult.change() == Change.TAKEN) {
      throw new ProblemException(
          ProblemKind.KEY_TAKEN,
          "There is a schedule called '%s'; PUT changes it."
              .formatted(changeResult.schedule().key()));
    }
    return reply(request, 201, changeResult.schedule());
  }

  Reply get(Request request) {
    return reply(request, 200, find(request));
  }

  Reply put(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    boolean dryRun = parameters.flag("dryRun");
    parameters.done();
    JsonFields fields = JsonFields.of(request);
    Optional<ScheduleDraft> draft = form.read(fields, request.part("key"));
    fields.done();
    Precondition precondition = Precondition.of(request);
    return fields.doing(
        "timing",
        () ->
            dryRun
                ? tried(request, draft.orElseThrow(), precondition)
                : put(request, draft.orElseThrow(), precondition));
  }

  private Reply tried(Request request, ScheduleDraft draft, Precondition precondition) {
    Optional<Schedule> now = schedules(request).get(draft.key());
    boolean refused =
        now.filter(
                schedule -> !precondition.present() || schedule.status() != ScheduleStatus.RETIRED)
            .map(schedule -> precondition.forbids(schedule.version()))
            .orElse(precondition.present());
    if (refused) {
      return Precondition.failed("The schedule is not as the request says.");
    }
    Reply reply = Reply.ok(DryRunView.of(schedules(request).dryRun(draft)));
    // Read before the dry run: a change in between makes an edit with this ETag fail.
    return now.map(schedule -> reply.header("ETag", ScheduleView.etag(schedule))).orElse(reply);
  }

  private Reply put(Request request, ScheduleDraft draft, Precondition precondition) {
    Schedules schedules = schedules(request);
    if (precondition.absent()) {
      ChangeResult changeResult = schedules.create(draft);
      return changeResult.change() == Change.TAKEN
          ? Precondition.failed("There is such a schedule.")
          : reply(request, 201, changeResult.schedule());
    }
    if (!precondition.present()) {
      ChangeResult changeResult = schedules.upsert(draft);
      return reply(
          request, changeResult.change() == Change.CREATED ? 201 : 200, changeResult.schedule());
    }
    Optional<ChangeResult> saved =
        precondition
            .version()
            .map(version -> schedules.patch(draft.key(), version, old -> draft))
            .orElseGet(() -> schedules.patch(draft.key(), old -> draft));
    return saved
        .filter(done -> done.change() != Change.STALE)
        .map(done -> reply(request, 200, done.schedule()))
        .orElseGet(() -> Precondition.failed("The schedule is not as If-Match says."));
  }

  Reply patch(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    boolean dryRun = parameters.flag("dryRun");
    parameters.done();
    Map<String, @Nullable Object> patch = JsonFields.parsed(request);
    Precondition precondition = Precondition.of(request);
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      Schedule now = active(request);
      if (precondition.forbids(now.version())) {
        return Precondition.failed("The schedule is not as If-Match says.");
      }
      JsonFields fields =
          JsonFields.of(SchedulePatch.merged(now.definition(), patch), request.caller().scope());
      Optional<ScheduleDraft> draft = form.read(fields, now.key());
      fields.done();
      if (dryRun) {
        return fields.doing("timing", () -> tried(request, draft.orElseThrow(), precondition));
      }
      Optional<ChangeResult> saved =
          fields.doing(
              "timing",
              () -> schedules(request).patch(now.key(), now.version(), old -> draft.orElseThrow()));
      if (saved.isPresent() && saved.get().change() != Change.STALE) {
        return reply(request, 200, saved.get().schedule());
      }
    }
    return Precondition.failed("The schedule changes too often; try again.");
  }

  Reply delete(Request request) {
    return Precondition.of(request)
        .retire(schedules(request), request.part("key"))
        .map(changeResult -> reply(request, 200, changeResult.schedule()))
        .orElseThrow(() -> NotFound.schedule(request.part("key")));
  }

  Reply deleteAll(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    ScheduleFilter filter = filter(parameters);
    Optional<Long> expect = parameters.whole("expect", 0, Integer.MAX_VALUE).map(Long::valueOf);
    parameters.done();
    if (!filter.narrows()) {
      parameters.error(
          "payload", "deleting many needs a filter: payload, target, tag, q or status");
      parameters.done();
    }
    FoundSchedules found = schedules(request).findAll(filter);
    new BulkScope(expect, true, false).check(found.count());
    return Reply.ok(Map.of("retired", found.retire()));
  }

  private Schedules schedules(Request request) {
    return Reachable.schedules(carillon, request);
  }

  private Schedule find(Request request) {
    String key = request.part("key");
    return schedules(request).get(key).orElseThrow(() -> NotFound.schedule(key));
  }

  private Schedule active(Request request) {
    Schedule schedule = find(request);
    if (schedule.status() == ScheduleStatus.RETIRED) {
      throw retired();
    }
    return schedule;
  }

  static ProblemException retired() {
    return new ProblemException(
        ProblemKind.SCHEDULE_RETIRED, "The schedule is retired; PUT it to make it fire again.");
  }

  private Reply reply(Request request, int status, Schedule schedule) {
    List<UpcomingSlot> next =
        schedules(request)
            .upcoming(List.of(schedule), NEXT)
            .getOrDefault(schedule.key(), List.of());
    List<RecentRun> recent =
        Reachable.runs(carillon, request)
            .recent(List.of(schedule.key()), RECENT)
            .getOrDefault(schedule.key(), List.of());
    Map<String, @Nullable Object> view = ScheduleView.whole(schedule, next, recent);
    return Reply.json(status, known.warn(view, schedules(request).warnings(schedule), schedule))
        .header("ETag", ScheduleView.etag(schedule));
  }
}
