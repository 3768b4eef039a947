package dev.carillon.plan.explain;

import dev.carillon.model.Attempt;
import dev.carillon.model.Explanation.Step;
import dev.carillon.model.Explanation.What;
import dev.carillon.model.Run;
import dev.carillon.model.Trigger;
import dev.carillon.time.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Says what became of the run of a slot, and of runs that were asked for at the same instant. */
final class RunSteps implements StepExplainer {
  @Override
  public List<Step> explain(Finding finding) {
    var steps = new ArrayList<Step>();
    finding
        .nearRun()
        .ifPresent(
            near -> {
              if (near.trigger() == Trigger.BACKFILL) {
                steps.add(backfilled(near));
              }
              steps.add(
                  finding
                      .run()
                      .map(run -> step(finding, run))
                      .orElseGet(
                          () ->
                              Step.of(
                                  What.RUN,
                                  "Run %s %s.".formatted(near.id(), Fates.of(near.state())))));
            });
    others(finding).forEach(steps::add);
    return steps;
  }

  private static Step backfilled(NearRun near) {
    String who = near.by().map(Sentence::quoted).orElse("Somebody");
    return new Step(What.RUN, who + " asked for it by a backfill.", near.by(), Optional.empty());
  }

  private static Stream<Step> others(Finding finding) {
    return finding.facts().runs().stream()
        .filter(near -> !near.isOfSlot() && near.id().slot().equals(finding.at()))
        .map(
            near ->
                new Step(
                    What.RUN,
                    "%s asked for run %s at that moment, which %s."
                        .formatted(
                            near.by().map(Sentence::quoted).orElse("Somebody"),
                            near.id(),
                            Fates.of(near.state())),
                    near.by(),
                    Optional.of(near.id().slot())));
  }

  private static Step step(Finding finding, Run run) {
    Optional<String> node =
        run.node().filter(any -> run.startedAt().isPresent()).map(finding::nodeName);
    Optional<Instant> when = run.finishedAt().or(run::startedAt);
    return new Step(What.RUN, text(finding, run, node), node, when);
  }

  private static String text(Finding finding, Run run, Optional<String> node) {
    String name = "Run " + run.id();
    String end = run.finishedAt().map(finding::text).orElse("");
    return switch (run.state()) {
      case PENDING -> name + pending(finding, run);
      case RUNNING -> started(finding, run, node) + " and is at work.";
      case SUCCEEDED -> "%s and succeeded at %s.".formatted(started(finding, run, node), end);
      case FAILED ->
          Sentence.ended(
              "%s and failed at %s%s"
                  .formatted(
                      started(finding, run, node),
                      end,
                      run.failure().map(failure -> ": " + FailureText.of(failure)).orElse("")));
      case CANCELED ->
          Sentence.because(
              run.startedAt().isPresent()
                  ? "%s and was canceled at %s".formatted(started(finding, run, node), end)
                  : "%s was canceled at %s before it started".formatted(name, end),
              run.reason());
      case SKIPPED -> Sentence.because("%s was skipped at %s".formatted(name, end), run.reason());
    };
  }

  private static String pending(Finding finding, Run run) {
    if (!run.attempts().isEmpty()) {
      Attempt last = run.attempts().get(run.attempts().size() - 1);
      return " is to be tried again%s."
          .formatted(last.nextAt().map(at -> " at " + finding.text(at)).orElse(""));
    }
    String due = finding.text(run.dueAt());
    if (run.dueAt().isAfter(finding.facts().now())) {
      return " is planned, and due at " + due + ".";
    }
    return " has been due since %s, and waits for a node or worker with room for it%s."
        .formatted(due, run.overlap().exclusive() ? ", or for an earlier run to end" : "");
  }

  private static String started(Finding finding, Run run, Optional<String> node) {
    String attempt = run.attempt() > 1 ? "Attempt %s of run ".formatted(run.attempt()) : "Run ";
    return "%s%s started at %s%s%s"
        .formatted(
            attempt,
            run.id(),
            run.startedAt().map(finding::text).orElse("a time that is not known"),
            node.map(name -> " on " + name).orElse(""),
            run.attempt() > 1 ? "" : run.lateness().map(RunSteps::late).orElse(""));
  }

  private static String late(Duration lateness) {
    Duration shown = lateness.truncatedTo(ChronoUnit.MILLIS);
    return shown.compareTo(Duration.ofSeconds(1)) < 0
        ? ""
        : ", %s after it was due,"
            .formatted(DurationText.of(shown.truncatedTo(ChronoUnit.SECONDS)));
  }
}
