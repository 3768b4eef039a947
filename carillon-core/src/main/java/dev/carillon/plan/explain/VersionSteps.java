package dev.carillon.plan.explain;

import dev.carillon.model.ChangedBy;
import dev.carillon.model.Decision;
import dev.carillon.model.Explanation.Step;
import dev.carillon.model.Explanation.What;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Says which definition was in force, or that the schedule did not exist or was retired. */
final class VersionSteps implements StepExplainer {
  @Override
  public List<Step> explain(Finding finding) {
    Optional<KnownVersion> version = finding.version();
    if (version.isEmpty()) {
      return List.of(finding.isSlot() ? deleted(finding) : none(finding));
    }
    if (!finding.isSlot() && version.get().isOverBefore(finding.at())) {
      return over(finding, version.get());
    }
    var steps = new ArrayList<Step>();
    steps.add(inForce(finding, version.get()));
    if (version.get().definition().isEmpty()) {
      steps.add(Step.of(What.VERSION, "What it says is outside of what you may see."));
    }
    return steps;
  }

  private static Step deleted(Finding finding) {
    int number =
        finding
            .nearRun()
            .map(NearRun::version)
            .or(() -> finding.decision().map(Decision::version))
            .orElse(finding.facts().schedule().version());
    return Step.of(
        What.VERSION, "Version %s was in force, which is deleted by now.".formatted(number));
  }

  private static Step none(Finding finding) {
    ChangedBy created = finding.facts().schedule().created();
    return created.at().isBefore(finding.at())
        ? Step.of(What.VERSION, "The version that was in force then is deleted by now.")
        : Step.of(
            What.VERSION,
            "The schedule did not exist yet: %s created it at %s."
                .formatted(Sentence.quoted(created.by()), finding.text(created.at())),
            created);
  }

  private static List<Step> over(Finding finding, KnownVersion last) {
    var steps = new ArrayList<Step>();
    steps.add(
        last.retiredAt()
            .flatMap(end -> new Changes(finding).end(end))
            .map(entry -> ChangeText.step(What.VERSION, entry, finding))
            .orElseGet(
                () ->
                    Step.of(
                        What.VERSION,
                        "The schedule was retired at %s."
                            .formatted(finding.text(last.retiredAt().orElseThrow())))));
    finding
        .facts()
        .firstAfter(finding.at())
        .ifPresent(
            again ->
                steps.add(
                    Step.of(
                        What.VERSION,
                        "%s defined it again as version %s at %s."
                            .formatted(
                                Sentence.quoted(again.created().by()),
                                again.number(),
                                finding.text(again.created().at())),
                        again.created())));
    return steps;
  }

  private static Step inForce(Finding finding, KnownVersion version) {
    ChangedBy made = version.created();
    String who = Sentence.quoted(made.by());
    String when = finding.text(made.at());
    boolean first = version.number() == 1;
    if (!made.at().isBefore(finding.meant())) {
      return Step.of(
          What.VERSION,
          (first
                  ? "%2$s created the schedule at %3$s, which is not before this slot."
                  : "Version %s counts, which %s made at %s and so not before this slot.")
              .formatted(version.number(), who, when),
          made);
    }
    return Step.of(
        What.VERSION,
        (first
                ? "Version %s %s in force: %s created the schedule at %s."
                : "Version %s %s in force, which %s made at %s.")
            .formatted(version.number(), finding.isPast() ? "was" : "is", who, when),
        made);
  }
}
