package dev.carillon.plan.explain;

import dev.carillon.model.Attempt;
import dev.carillon.model.Explanation.Step;
import dev.carillon.model.Explanation.What;
import dev.carillon.model.Run;
import dev.carillon.model.RunState;
import java.util.List;
import java.util.Optional;

/** Says how the attempts went that were followed by another. */
final class AttemptSteps implements StepExplainer {
  private static final int MAX_SHOWN = 20;

  @Override
  public List<Step> explain(Finding finding) {
    List<Attempt> attempts = finding.run().map(Run::attempts).orElse(List.of());
    int skipped = Math.max(0, attempts.size() - MAX_SHOWN);
    return attempts.stream().skip(skipped).map(attempt -> step(finding, attempt)).toList();
  }

  private static Step step(Finding finding, Attempt attempt) {
    Optional<String> node = attempt.node().map(finding::nodeName);
    String text =
        "Attempt %s started at %s%s and %s at %s: %s"
            .formatted(
                attempt.number(),
                finding.text(attempt.startedAt()),
                node.map(name -> " on " + name).orElse(""),
                attempt.state() == RunState.CANCELED ? "was canceled" : "failed",
                finding.text(attempt.finishedAt()),
                FailureText.of(attempt.failure()));
    return new Step(What.ATTEMPT, Sentence.ended(text), node, Optional.of(attempt.startedAt()));
  }
}
