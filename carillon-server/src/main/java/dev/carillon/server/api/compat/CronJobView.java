package dev.carillon.server.api.compat;

import dev.carillon.json.Json;
import dev.carillon.json.JsonException;
import dev.carillon.json.RawJson;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Definition;
import dev.carillon.model.Pause;
import dev.carillon.model.RecentRun;
import dev.carillon.model.Run;
import dev.carillon.model.TrackRecord;
import dev.carillon.model.Trigger;
import dev.carillon.server.api.RunView;
import dev.carillon.server.read.ContractText;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How clients see cron jobs and their runs. */
final class CronJobView {
  private CronJobView() {}

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
    view.put("status", ContractText.word(job.status()));
    view.put("completed", job.isCurrent() && job.schedule().completed());
    view.put(
        "pauseReason",
        job.isCurrent() ? job.schedule().pause().map(Pause::reason).orElse(null) : null);
    view.put("supersedesJobId", job.supersedes().orElse(null));
    ChangedBy created = job.version().created();
    ChangedBy updated = updated(job);
    view.put("createdBy", created.by());
    view.put("updatedBy", updated.by());
    view.put("createdAt", ContractText.of(created.at()));
    view.put("updatedAt", ContractText.of(updated.at()));
    view.put("nextRunAt", RunView.written(next));
    view.put("lastRun", record.map(TrackRecord::last).map(CronJobView::of).orElse(null));
    view.put("consecutiveFailures", record.map(TrackRecord::consecutiveFailures).orElse(0));
    return view;
  }

  private static ChangedBy updated(CronJob job) {
    ChangedBy created = job.version().created();
    return job.isCurrent()
        ? job.schedule().updated()
        : new ChangedBy(job.version().retiredAt().orElse(created.at()), created.by());
  }

  private static Map<String, @Nullable Object> of(RecentRun run) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("id", run.id().toString());
    view.put("scheduledAt", ContractText.of(run.id().slot()));
    view.put("startedAt", RunView.written(run.startedAt()));
    view.put("finishedAt", RunView.written(run.finishedAt()));
    view.put("status", ContractText.word(run.state()));
    return view;
  }

  static Map<String, @Nullable Object> of(Run run) {
    boolean planned = run.schedule().isPresent();
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("id", run.id().toString());
    view.put(
        "jobDefinitionId",
        planned ? new CronJobId(run.id().schedule(), run.version()).toString() : null);
    view.put("jobKey", run.schedule().orElse(null));
    view.put("jobVersion", planned ? run.version() : null);
    view.put("target", run.target());
    view.put("payloadSnapshot", new RawJson(run.payload().json()));
    view.put("triggerType", trigger(run.trigger()));
    view.put("scheduledAt", ContractText.of(run.slot()));
    view.put("startedAt", RunView.written(run.startedAt()));
    view.put("finishedAt", RunView.written(run.finishedAt()));
    view.put("durationMs", run.duration().map(Duration::toMillis).orElse(null));
    view.put("status", ContractText.word(run.state()));
    view.put("failureCode", run.failure().map(failure -> failure.code()).orElse(null));
    view.put("failureMessage", run.failure().map(failure -> failure.message()).orElse(null));
    view.put(
        "failureDetails",
        run.failure().flatMap(failure -> failure.details()).map(CronJobView::details).orElse(null));
    view.put("runnerInstanceId", run.node().map(Object::toString).orElse(null));
    view.put("createdAt", ContractText.of(run.slot()));
    view.put("updatedAt", ContractText.of(RegisteredView.lastSeen(run)));
    return view;
  }

  /* The platform has them as JSON: what was given as JSON stays so, anything else is a text. */
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

  /* A backfill is asked for by hand. */
  private static String trigger(Trigger trigger) {
    return ContractText.word(trigger == Trigger.BACKFILL ? Trigger.MANUAL : trigger);
  }
}
