package dev.carillon.server.api;

import dev.carillon.definition.DefinitionFields;
import dev.carillon.json.RawJson;
import dev.carillon.model.Attempt;
import dev.carillon.model.Dismissal;
import dev.carillon.model.Failure;
import dev.carillon.model.RecentRun;
import dev.carillon.model.Run;
import dev.carillon.model.RunState;
import dev.carillon.server.read.ContractText;
import dev.carillon.template.RunPayload;
import dev.carillon.template.TemplateException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How clients see runs. */
public final class RunView {
  private RunView() {}

  /** Return all about a run but its attempts. */
  public static Map<String, @Nullable Object> of(Run run) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("id", run.id().toString());
    view.put("schedule", run.schedule().orElse(null));
    view.put("version", run.schedule().isPresent() ? run.version() : null);
    view.put("target", run.target());
    view.put("trigger", ContractText.word(run.trigger()));
    view.put("slot", ContractText.of(run.slot()));
    view.put("dueAt", ContractText.of(run.dueAt()));
    view.put("startedAt", written(run.startedAt()));
    view.put("finishedAt", written(run.finishedAt()));
    view.put("durationMs", run.duration().map(Duration::toMillis).orElse(null));
    view.put("latenessMs", run.lateness().map(Duration::toMillis).orElse(null));
    view.put("state", ContractText.word(run.state()));
    view.put("attempt", run.attempt());
    view.put(
        "nextAttemptAt", written(before(run).flatMap(Attempt::nextAt).filter(at -> waits(run))));
    view.put("node", run.node().map(Object::toString).orElse(null));
    view.put("idempotencyKey", run.idempotencyKey());
    view.put("correlation", run.correlation().orElse(null));
    view.put("externalId", run.externalId().orElse(null));
    view.put("description", run.policy().description());
    view.put("payload", new RawJson(run.payload().json()));
    view.put("failure", run.failure().map(RunView::of).orElse(null));
    view.put("lastFailure", before(run).map(Attempt::failure).map(RunView::of).orElse(null));
    view.put("reason", run.reason().orElse(null));
    view.put("progress", run.progress().orElse(null));
    view.put("dismissed", run.dismissal().map(RunView::of).orElse(null));
    return view;
  }

  static Map<String, @Nullable Object> whole(Run run) {
    var attempts = new ArrayList<Map<String, @Nullable Object>>();
    run.attempts().forEach(attempt -> attempts.add(of(attempt)));
    run.startedAt().ifPresent(started -> attempts.add(last(run, started)));
    Map<String, @Nullable Object> view = of(run);
    view.put("template", run.policy().template().isPresent());
    view.put("expandedPayload", expandedPayload(run).orElse(null));
    view.put("retry", DefinitionFields.RETRY.show(run.policy().retry()));
    view.put("recovery", ContractText.word(run.policy().recovery()));
    view.put("timeout", run.policy().timeout().map(ContractText::of).orElse(null));
    view.put("timeoutCalendar", run.policy().timeoutCalendar().orElse(null));
    view.put("attempts", attempts);
    return view;
  }

  /* As the target sees it in the attempt that the run is at, or in its first. */
  private static Optional<RawJson> expandedPayload(Run run) {
    if (run.policy().template().isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new RawJson(RunPayload.of(run).json()));
    } catch (TemplateException e) { // its failure says so, or will
      return Optional.empty();
    }
  }

  static Map<String, @Nullable Object> of(RecentRun run) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("id", run.id().toString());
    view.put("slot", ContractText.of(run.id().slot()));
    view.put("state", ContractText.word(run.state()));
    view.put("startedAt", written(run.startedAt()));
    view.put("finishedAt", written(run.finishedAt()));
    return view;
  }

  private static Map<String, @Nullable Object> of(Attempt attempt) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("number", attempt.number());
    view.put("state", ContractText.word(attempt.state()));
    view.put("node", attempt.node().map(Object::toString).orElse(null));
    view.put("startedAt", ContractText.of(attempt.startedAt()));
    view.put("finishedAt", ContractText.of(attempt.finishedAt()));
    view.put("nextAt", written(attempt.nextAt()));
    view.put("failure", of(attempt.failure()));
    return view;
  }

  private static Map<String, @Nullable Object> last(Run run, Instant startedAt) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("number", run.attempt());
    view.put("state", ContractText.word(run.state()));
    view.put("node", run.node().map(Object::toString).orElse(null));
    view.put("startedAt", ContractText.of(startedAt));
    view.put("finishedAt", written(run.finishedAt()));
    view.put("nextAt", null);
    view.put("failure", run.failure().map(RunView::of).orElse(null));
    return view;
  }

  /* The attempt that is followed by another, as long as the run is not over. */
  private static Optional<Attempt> before(Run run) {
    return run.finishedAt().isPresent() || run.attempts().isEmpty()
        ? Optional.empty()
        : Optional.of(run.attempts().get(run.attempts().size() - 1));
  }

  private static boolean waits(Run run) {
    return run.state() == RunState.PENDING;
  }

  private static Map<String, @Nullable Object> of(Dismissal dismissal) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("reason", dismissal.reason());
    view.put("by", dismissal.changedBy().by());
    view.put("at", ContractText.of(dismissal.changedBy().at()));
    return view;
  }

  static Map<String, @Nullable Object> of(Failure failure) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("code", failure.code());
    view.put("message", failure.message());
    view.put("details", failure.details().orElse(null));
    return view;
  }

  static @Nullable public String written(Optional<Instant> instant) {
    return instant.map(ContractText::of).orElse(null);
  }
}
