package dev.carillon.plan.explain;

import dev.carillon.model.AuditEntry;
import dev.carillon.model.Explanation.Step;
import dev.carillon.model.Explanation.What;
import java.time.Instant;
import java.util.Optional;

/** Puts changes of a schedule into words. */
final class ChangeText {
  private ChangeText() {}

  static Step step(What what, AuditEntry entry, Finding finding) {
    return Step.of(what, text(entry, finding), entry.changedBy());
  }

  private static String text(AuditEntry entry, Finding finding) {
    String who = Sentence.quoted(entry.changedBy().by());
    String when = finding.text(entry.changedBy().at());
    Optional<String> reason = Changes.text(entry, "reason");
    return switch (entry.action()) {
      case Changes.PAUSED ->
          Sentence.because(
              "%s paused the schedule at %s%s".formatted(who, when, until(entry, finding)), reason);
      case Changes.PAUSE_PLANNED ->
          Sentence.because(
              "%s planned a pause at %s, from %s%s"
                  .formatted(who, when, moment(entry, "from", finding), until(entry, finding)),
              reason);
      case Changes.RESUMED ->
          Changes.text(entry, "canceledPauseFrom").isPresent()
              ? "%s canceled the pause before it began, at %s.".formatted(who, when)
              : "%s resumed the schedule at %s.".formatted(who, when);
      case Changes.COMPLETED ->
          "The schedule was complete at %s: it had no slot left.".formatted(when);
      default -> Sentence.because("%s retired the schedule at %s".formatted(who, when), reason);
    };
  }

  private static String until(AuditEntry entry, Finding finding) {
    return Changes.text(entry, "until").isPresent()
        ? ", until " + moment(entry, "until", finding)
        : "";
  }

  private static String moment(AuditEntry entry, String name, Finding finding) {
    return Changes.text(entry, name).map(Instant::parse).map(finding::text).orElse("now");
  }
}
