package dev.carillon.server.api;

import dev.carillon.json.Json;
import dev.carillon.json.JsonException;
import dev.carillon.json.RawJson;
import dev.carillon.model.Definition;
import dev.carillon.model.Pause;
import dev.carillon.model.Recent;
import dev.carillon.model.Run;
import dev.carillon.model.Stamp;
import dev.carillon.model.TrackRecord;
import dev.carillon.model.Trigger;
import dev.carillon.server.read.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How cron jobs and their runs are told. */
final class CronJobView {
  private CronJobView() {}

  /** Tell of a job, when it runs next, and how it has been doing. */
  static Map<String, @Nullable Object> of(
      CronJob job, Optional<Instant> next, Optional<TrackRecord> record) {
    Definition definition = job.version().definition();
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("id", job.id());
    view.put("jobKey", job.schedule().key());
    view.put("version", job.version().version());
    view.put("target", definition.target());
    view.put("payload", new RawJson(definition.payload().json()));
    view.putAll(CronJobForm.timing(definition.timing()));
    view.put("status", Texts.word(job.status()));
    view.put("completed", job.isCurrent() && job.schedule().completed());
    view.put(
        "pauseReason",
        job.isCurrent() ? job.schedule().pause().map(Pause::reason).orElse(null) : null);
    view.put("supersedesJobId", job.supersedes().orElse(null));
    Stamp created = job.version().created();
    Stamp updated = updated(job);
    view.put("createdBy", created.by());
    view.put("updatedBy", updated.by());
    view.put("createdAt", Texts.of(created.at()));
    view.put("updatedAt", Texts.of(updated.at()));
    view.put("nextRunAt", RunView.written(next));
    view.put("lastRun", record.map(TrackRecord::last).map(CronJobView::of).orElse(null));
    view.put("consecutiveFailures", record.map(TrackRecord::consecutiveFailures).orElse(0));
    return view;
  }

  private static Stamp updated(CronJob job) {
    Stamp created = job.version().created();
    return job.isCurrent()
        ? job.schedule().updated()
        : new Stamp(job.version().retiredAt().orElse(created.at()), created.by());
  }

  private static Map<String, @Nullable Object> of(Recent run) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("id", run.id().toString());
    view.put("scheduledAt", Texts.of(run.id().slot()));
    view.put("startedAt", RunView.written(run.startedAt()));
    view.put("finishedAt", RunView.written(run.finishedAt()));
    view.put("status", Texts.word(run.state()));
    return view;
  }

  /** Tell of a run. */
  static Map<String, @Nullable Object> of(Run run) {
    boolean planned = run.schedule().isPresent();
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("id", run.id().toString());
    view.put(
        "jobDefinitionId",
        planned ? new JobId(run.id().schedule(), run.version()).toString() : null);
    view.put("jobKey", run.schedule().orElse(null));
    view.put("jobVersion", planned ? run.version() : null);
    view.put("target", run.target());
    view.put("payloadSnapshot", new RawJson(run.payload().json()));
    view.put("triggerType", trigger(run.trigger()));
    view.put("scheduledAt", Texts.of(run.slot()));
    view.put("startedAt", RunView.written(run.startedAt()));
    view.put("finishedAt", RunView.written(run.finishedAt()));
    view.put("durationMs", run.duration().map(Duration::toMillis).orElse(null));
    view.put("status", Texts.word(run.state()));
    view.put("failureCode", run.failure().map(failure -> failure.code()).orElse(null));
    view.put("failureMessage", run.failure().map(failure -> failure.message()).orElse(null));
    view.put(
        "failureDetails",
        run.failure().flatMap(failure -> failure.details()).map(CronJobView::details).orElse(null));
    view.put("runnerInstanceId", run.node().map(Object::toString).orElse(null));
    view.put("createdAt", Texts.of(run.slot()));
    view.put("updatedAt", Texts.of(RegisteredView.lastSeen(run)));
    return view;
  }

  /* The platform has them as JSON: what was given so is told so, anything else as a text. */
  private static Object details(String text) {
    String start = text.stripLeading();
    if (start.startsWith("{") || start.startsWith("[")) {
      try {
        return new RawJson(Json.write(Json.read(text)));
      } catch (JsonException aText) {
        return text;
      }
    }
    return text;
  }

  /* Somebody asked for what makes up for a past slot. */
  private static String trigger(Trigger trigger) {
    return Texts.word(trigger == Trigger.BACKFILL ? Trigger.MANUAL : trigger);
  }
}
