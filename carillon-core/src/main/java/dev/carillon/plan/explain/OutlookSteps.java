package dev.carillon.plan.explain;

import dev.carillon.model.Definition;
import dev.carillon.model.Explanation.Step;
import dev.carillon.model.Explanation.What;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Pacing;
import dev.carillon.time.DurationText;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Says what will happen, as things stand. */
final class OutlookSteps implements StepExplainer {
  @Override
  public List<Step> explain(Finding finding) {
    Stream<String> said =
        switch (finding.outcome()) {
          case WILL_RUN -> willRun(finding);
          case PENDING ->
              finding.dueAt().filter(finding::isToCome).isPresent()
                  ? overlap(finding)
                  : Stream.empty();
          case WILL_NOT_RUN -> Stream.of("As things stand, it will not run.");
          case NOT_DUE -> nothing(finding);
          default -> Stream.empty();
        };
    return said.map(text -> Step.of(What.OUTLOOK, text)).toList();
  }

  private static Stream<String> willRun(Finding finding) {
    Instant dueAt = finding.dueAt().orElseThrow();
    if (!finding.isToCome(dueAt)) {
      return Stream.of(
          "No node has planned it yet; as things stand, it will run as soon as one does.");
    }
    /* It is planned ahead of its slot, which may be days before what that was moved to. */
    boolean moved = finding.judged().filter(judged -> !judged.moves().isEmpty()).isPresent();
    String planned =
        ", and be planned at most %s before"
            .formatted(DurationText.of(finding.facts().lookahead()));
    return Stream.concat(
        Stream.of(
            "As things stand, it will run at %s%s."
                .formatted(finding.text(dueAt), moved ? "" : planned)),
        overlap(finding));
  }

  /* Whether an earlier run is unfinished is known only when it is due. */
  private static Stream<String> overlap(Finding finding) {
    if (finding.definition().filter(one -> one.pacing() == Pacing.FINISH).isPresent()) {
      return Stream.empty(); // it comes after the end of the run before
    }
    Overlap.Rule rule = finding.definition().map(Definition::overlap).orElse(Overlap.ALLOW).rule();
    String unfinished =
        "If an earlier run is unfinished then, it will %s, since its overlap rule is "
            + rule.name().toLowerCase(Locale.ROOT)
            + ".";
    return switch (rule) {
      case ALLOW -> Stream.empty();
      case SKIP -> Stream.of(unfinished.formatted("be skipped"));
      case QUEUE, QUEUE_ONE -> Stream.of(unfinished.formatted("wait for that one to end"));
      case CANCEL_PREVIOUS -> Stream.of(unfinished.formatted("stop that one"));
    };
  }

  private static Stream<String> nothing(Finding finding) {
    Facts facts = finding.facts();
    if (finding.isPast() || facts.schedule().status() == ScheduleStatus.RETIRED) {
      return Stream.empty();
    }
    if (facts.schedule().status() == ScheduleStatus.PAUSED
        && facts.schedule().pause().flatMap(pause -> pause.until()).isEmpty()) {
      return Stream.of(
          Sentence.because(
              "As things stand, the schedule is paused until somebody resumes it",
              facts.schedule().pause().map(pause -> pause.reason())));
    }
    return facts.schedule().definition().pacing() == Pacing.FINISH
        ? Stream.of(
            facts.schedule().nextSlot().isPresent()
                ? "Only the next slot is known: the one after it follows the end of its run."
                : "The next slot is known when the run that is under way has ended.")
        : Stream.empty();
  }
}
