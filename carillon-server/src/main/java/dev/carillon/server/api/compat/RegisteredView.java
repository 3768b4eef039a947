package dev.carillon.server.api.compat;

import dev.carillon.model.Attempt;
import dev.carillon.model.Definition;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.policy.CatchUp;
import dev.carillon.server.api.Expressions;
import dev.carillon.server.api.RunView;
import dev.carillon.server.read.ContractText;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How clients that registered a workflow's schedule see it and its runs. */
final class RegisteredView {
  private RegisteredView() {}

  static Map<String, @Nullable Object> of(
      Schedule schedule, List<Instant> preview, List<Run> runs) {
    Definition definition = schedule.definition();
    Payload payload = definition.payload();
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("schedule_id", schedule.key());
    view.put("workflow_id", payload.text("workflow_id").orElse(null));
    view.put("version", payload.number("version").orElse(null));
    view.put("user_id", payload.text("user_id").orElse(null));
    view.put("cron_expr", Expressions.of(definition.timing()).orElse(null));
    view.put("timezone", Expressions.zone(definition.timing()));
    view.put("start_at", unless(definition.window().from(), Instant.MIN));
    view.put("end_at", unless(definition.window().until(), Instant.MAX));
    view.put("next_run_at", RunView.written(preview.stream().findFirst()));
    view.put("paused", schedule.status() == ScheduleStatus.PAUSED);
    view.put("jitter_ms", definition.jitter().amount().toMillis());
    view.put("overlap_policy", ContractText.word(definition.overlap().rule()));
    view.put("catchup_policy", policy(definition.catchUp()));
    view.put("updated_at", ContractText.of(schedule.updated().at()));
    view.put("preview", preview.stream().map(ContractText::of).toList());
    view.put("runs", runs.stream().map(run -> of(run, schedule.key())).toList());
    return view;
  }

  private static Map<String, @Nullable Object> of(Run run, String schedule) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("idempotency_key", run.idempotencyKey());
    view.put("schedule_id", schedule);
    view.put("run_at", ContractText.of(run.slot()));
    view.put("status", status(run));
    view.put("run_id", run.externalId().orElse(null));
    view.put("created_at", ContractText.of(run.slot()));
    view.put("updated_at", ContractText.of(lastSeen(run)));
    return view;
  }

  /* What was canceled before it began did not run; what was stopped at work did not succeed. */
  static String status(Run run) {
    return switch (run.state()) {
      case PENDING -> "ENQUEUED";
      case RUNNING -> "STARTED";
      case SUCCEEDED -> "SUCCESS";
      case FAILED -> "FAILED";
      case CANCELED -> run.startedAt().isPresent() ? "FAILED" : "SKIPPED";
      case SKIPPED -> "SKIPPED";
    };
  }

  /** Return the latest time that is known of a run. */
  static Instant lastSeen(Run run) {
    return Stream.concat(
            Stream.of(Optional.of(run.slot()), run.startedAt(), run.finishedAt())
                .flatMap(Optional::stream),
            run.attempts().stream().map(Attempt::finishedAt))
        .max(Instant::compareTo)
        .orElseThrow();
  }

  /* The name it was given by, if the contract has that; else the name of the contract for it. */
  private static String policy(CatchUp catchUp) {
    return switch (catchUp.name()) {
      case "skip" -> "none";
      case "once" -> "run_once";
      case "all" -> "fire_immediately";
      default -> catchUp.name();
    };
  }

  private static @Nullable String unless(Instant instant, Instant unbounded) {
    return instant.equals(unbounded) ? null : ContractText.of(instant);
  }
}
