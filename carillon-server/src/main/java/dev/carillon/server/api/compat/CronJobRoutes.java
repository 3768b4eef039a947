package dev.carillon.server.api.compat;

import dev.carillon.Carillon;
import dev.carillon.ScheduleDraft;
import dev.carillon.Schedules;
import dev.carillon.model.ChangeResult;
import dev.carillon.model.ChangeResult.Change;
import dev.carillon.model.Page;
import dev.carillon.model.PayloadUse;
import dev.carillon.model.Run;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.Scope;
import dev.carillon.model.TrackRecord;
import dev.carillon.model.UpcomingSlot;
import dev.carillon.model.VersionFilter;
import dev.carillon.model.VersionRef;
import dev.carillon.server.api.Api;
import dev.carillon.server.api.NextSlots;
import dev.carillon.server.api.NotFound;
import dev.carillon.server.api.PagedLists;
import dev.carillon.server.api.PauseForm;
import dev.carillon.server.api.Precondition;
import dev.carillon.server.api.Reachable;
import dev.carillon.server.api.ScheduleView;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.QueryParameter;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The contract of a cron jobs platform: its jobs, which are versions of schedules. */
public record CronJobRoutes(Carillon carillon, CronJobForm form) {
  /** Where the routes of this contract begin. */
  static final String ROOT = "/api/v2/admin/cron";

  private static final String ALL = ROOT + "/jobs";
  private static final String ONE = ALL + "/{id}";

  public List<Route> routes() {
    return List.of(
        Route.post(ALL, Role.ADMIN, "createCronJob")
            .summary("Create a one-time or recurring job")
            .takes("NewCronJob")
            .answers(201, "CronJob", request -> in(request).create(request)),
        Route.get(ALL, Role.ADMIN, "listCronJobs")
            .summary("List jobs by key, or all versions of one, newest first")
            .query(
                QueryParameter.word(
                    "status",
                    ContractText.words(ScheduleStatus.class),
                    "With this status; retired if said."))
            .query(QueryParameter.text("target", "With this target."))
            .query(QueryParameter.text("jobKey", "All versions that have had this key."))
            .paged()
            .answers(200, "CronJobPage", this::list),
        Route.get(ONE, Role.ADMIN, "getCronJob")
            .summary("Get a job")
            .answers(200, "CronJob", this::get),
        Route.patch(ONE + "/pause", Role.ADMIN, "pauseCronJob")
            .summary("Stop a job from firing, for a reason")
            .takes("CronJobPause")
            .answers(200, "CronJob", this::pause),
        Route.patch(ONE + "/resume", Role.ADMIN, "resumeCronJob")
            .summary("Let a paused job fire again")
            .mayTake("Nothing")
            .answers(200, "CronJob", this::resume),
        Route.post(ONE + "/new-version", Role.ADMIN, "replaceCronJob")
            .summary("Replace a job by a new version, which fires; what is not said stays")
            .takes("CronJobChanges")
            .answers(200, "CronJob")
            .answers(201, "CronJob", request -> in(request).replace(request)),
        Route.post(ONE + "/run-now", Role.ADMIN, "runCronJob")
            .summary("Run a job now, unless a run of it is under way")
            .mayTake("Nothing")
            .answers(202, "CronRun", request -> in(request).run(request)));
  }

  private CronJobRoutes in(Request request) {
    return new CronJobRoutes(Api.in(request, carillon), form);
  }

  Reply create(Request request) {
    JsonFields fields = JsonFields.of(request);
    Optional<ScheduleDraft> draft = form.readAnew(fields);
    fields.done();
    ChangeResult changeResult =
        fields.doing(
            CronJobForm.when(fields), () -> schedules(request).create(draft.orElseThrow()));
    if (changeResult.change() == Change.TAKEN) {
      CronJob holder = CronJob.current(schedules(request), changeResult.schedule());
      throw new ProblemException(
          ProblemKind.KEY_TAKEN,
          "Job %s has this key; POST %s/%s/new-version replaces it."
              .formatted(holder.id(), ALL, holder.id()));
    }
    return reply(request, 201, changeResult.schedule());
  }

  Reply list(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    Optional<ScheduleStatus> status = parameters.word("status", ScheduleStatus.class);
    Optional<String> target = parameters.text("target");
    Optional<String> key = parameters.text("jobKey");
    Page<CronJob> page =
        key.isPresent()
            ? versions(request, parameters, key.get(), status, target)
            : jobs(request, parameters, status, target);
    Map<VersionRef, TrackRecord> records =
        Reachable.runs(carillon, request)
            .trackRecords(page.items().stream().map(CronJob::ref).toList());
    Map<String, List<UpcomingSlot>> next =
        schedules(request)
            .upcoming(
                page.items().stream().filter(CronJob::isCurrent).map(CronJob::schedule).toList(),
                1);
    return PagedLists.reply(
        page,
        job ->
            CronJobView.of(
                job,
                job.isCurrent()
                    ? first(next.getOrDefault(job.schedule().key(), List.of()))
                    : Optional.empty(),
                Optional.ofNullable(records.get(job.ref()))));
  }

  private Page<CronJob> jobs(
      Request request,
      QueryParameters parameters,
      Optional<ScheduleStatus> status,
      Optional<String> target) {
    ScheduleFilter filter = ScheduleFilter.all();
    filter = parameters.set(filter, "status", status, ScheduleFilter::status);
    ScheduleFilter wanted = parameters.set(filter, "target", target, ScheduleFilter::target);
    Schedules schedules = schedules(request);
    return PagedLists.ask(parameters, (after, limit) -> schedules.page(wanted, after, limit))
        .map(schedule -> CronJob.current(schedules, schedule));
  }

  private Page<CronJob> versions(
      Request request,
      QueryParameters parameters,
      String key,
      Optional<ScheduleStatus> status,
      Optional<String> target) {
    Schedules schedules = schedules(request);
    Optional<Schedule> schedule = schedules.get(key);
    Optional<CronJob> current = schedule.map(now -> CronJob.current(schedules, now));
    if (current.isEmpty() || status.filter(word -> word != ScheduleStatus.RETIRED).isPresent()) {
      List<CronJob> one =
          current.stream()
              .filter(job -> status.filter(word -> word != job.status()).isEmpty())
              .filter(job -> hasTarget(job, target))
              .toList();
      return PagedLists.slice(parameters, one, CronJob::id);
    }
    Schedule now = schedule.orElseThrow();
    boolean replacedOnly = status.isPresent() && now.status() != ScheduleStatus.RETIRED;
    Optional<Integer> below = replacedOnly ? Optional.of(now.version()) : Optional.empty();
    var filter = new VersionFilter(key, target, below, Scope.ALL);
    return PagedLists.ask(
            parameters,
            (after, limit) -> schedules.versions(filter, after, limit, PayloadUse.INCLUDED))
        .map(version -> new CronJob(now, version));
  }

  private static boolean hasTarget(CronJob job, Optional<String> target) {
    return target.filter(label -> !label.equals(job.version().definition().target())).isEmpty();
  }

  Reply get(Request request) {
    return reply(request, 200, find(request));
  }

  Reply pause(Request request) {
    JsonFields fields = JsonFields.ofAny(request);
    Optional<String> reason = PauseForm.reason(fields);
    fields.done();
    String key = live(request).schedule().key();
    return reply(
        request, 200, schedules(request).pause(key, reason.orElseThrow()).orElseThrow().schedule());
  }

  Reply resume(Request request) {
    JsonFields.ofAny(request).done();
    String key = live(request).schedule().key();
    return reply(request, 200, schedules(request).resume(key).orElseThrow().schedule());
  }

  Reply replace(Request request) {
    Map<String, @Nullable Object> changes = JsonFields.parsed(request);
    CronJob job = latest(request);
    String key = job.schedule().key();
    JsonFields fields = JsonFields.of(CronJobForm.merged(job.version().definition(), changes));
    fields
        .text("jobKey")
        .filter(said -> !said.equals(key))
        .ifPresent(said -> fields.error("jobKey", "must be that of the job, or be left out"));
    CronJobForm.Given whole = form.read(fields, key);
    fields.done();
    CronJobForm.Given given = CronJobForm.retimes(changes) ? whole : whole.withoutTiming();
    Schedules schedules = schedules(request);
    ChangeResult changeResult =
        fields.doing(
            CronJobForm.when(fields),
            () ->
                job.status() == ScheduleStatus.RETIRED
                    ? schedules.upsert(whole.apply(CronJobForm.blank(key)))
                    : schedules
                        .patchAndResume(key, job.version().version(), given::apply)
                        .filter(done -> done.change() != Change.STALE)
                        .orElseThrow(CronJobRoutes::replaced));
    return reply(
        request, changeResult.change() == Change.UNCHANGED ? 200 : 201, changeResult.schedule());
  }

  Reply run(Request request) {
    JsonFields.ofAny(request).done();
    Run run =
        schedules(request)
            .runNow(live(request).schedule().key())
            .orElseThrow(CronJobRoutes::retired);
    return Reply.json(202, CronJobView.of(run)).header("Location", ROOT + "/runs/" + run.id());
  }

  private CronJob find(Request request) {
    return CronJobId.parse(request.part("id"))
        .flatMap(id -> CronJob.find(schedules(request), id))
        .orElseThrow(
            () -> NotFound.listed(ProblemKind.SCHEDULE_UNKNOWN, "There is no such job", ALL));
  }

  private CronJob latest(Request request) {
    CronJob job = find(request);
    if (!job.isCurrent()) {
      throw replaced();
    }
    if (Precondition.of(request).forbids(job.version().version())) {
      throw new ProblemException(ProblemKind.CHANGED_MEANWHILE, "The job is not as If-Match says.");
    }
    return job;
  }

  private CronJob live(Request request) {
    CronJob job = latest(request);
    if (job.status() == ScheduleStatus.RETIRED) {
      throw retired();
    }
    return job;
  }

  private static ProblemException replaced() {
    return new ProblemException(
        ProblemKind.SCHEDULE_RETIRED,
        "A newer version has replaced this job; GET %s?jobKey=… lists the versions."
            .formatted(ALL));
  }

  private static ProblemException retired() {
    return new ProblemException(
        ProblemKind.SCHEDULE_RETIRED, "The job is retired; only a new version fires again.");
  }

  private Reply reply(Request request, int status, Schedule schedule) {
    return reply(request, status, CronJob.current(schedules(request), schedule));
  }

  private Reply reply(Request request, int status, CronJob job) {
    String key = job.schedule().key();
    Optional<Instant> next =
        job.isCurrent()
            ? NextSlots.of(schedules(request), key, 1).stream().findFirst()
            : Optional.empty();
    Optional<TrackRecord> record =
        Optional.ofNullable(
            Reachable.runs(carillon, request).trackRecords(List.of(job.ref())).get(job.ref()));
    Map<String, @Nullable Object> view = CronJobView.of(job, next, record);
    Reply reply =
        Reply.json(status, form.targets().warn(view, job.version().definition().target()))
            .header("ETag", ScheduleView.etag(job.schedule()));
    return status == 201 ? reply.header("Location", ALL + "/" + job.id()) : reply;
  }

  private static Optional<Instant> first(List<UpcomingSlot> next) {
    return next.stream().map(UpcomingSlot::slot).findFirst();
  }

  private Schedules schedules(Request request) {
    return Reachable.schedules(carillon, request);
  }
}
