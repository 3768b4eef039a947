package dev.carillon.plan.explain;

import dev.carillon.model.Definition;
import dev.carillon.plan.SlotDue.Obstacle;
import dev.carillon.policy.CalendarPolicy;
import dev.carillon.time.Due;
import dev.carillon.time.Due.Policy;
import dev.carillon.time.business.OutsideHours;
import java.util.Locale;
import java.util.Optional;

/** Puts into words what a calendar or quiet hours did to a slot. */
final class RuleText {
  private RuleText() {}

  /** Say which move a calendar or quiet hours made. */
  static String moved(Finding finding, Definition definition, Due.Move move) {
    String clause = clause(finding, definition, move);
    return clause.substring(0, 1).toUpperCase(Locale.ROOT) + clause.substring(1);
  }

  /** Say the same as the end of a sentence. */
  static String clause(Finding finding, Definition definition, Due.Move move) {
    String name = Sentence.quoted(move.by());
    String because = Sentence.quoted(move.because());
    String to = finding.text(move.to());
    return move.policy() == Policy.CALENDAR
        ? "%s in calendar '%s'; %s moves it to %s.".formatted(because, name, how(definition), to)
        : "quiet hours '%s' defer it to %s: %s.".formatted(name, to, because);
  }

  /** Say why a calendar or quiet hours left a slot out. */
  static String dropped(Definition definition, Policy policy, Obstacle obstacle) {
    String name = obstacle.by().map(Sentence::quoted).orElse("");
    String because = Sentence.quoted(obstacle.because());
    return policy == Policy.CALENDAR
        ? "%s in calendar '%s'; %s leaves it out.".formatted(because, name, how(definition))
        : "Quiet hours '%s' leave it out: %s.".formatted(name, because);
  }

  /** Say that a calendar or quiet hours left a slot out, by what is not known any more. */
  static String dropped(Policy policy, Optional<String> by) {
    return policy == Policy.CALENDAR
        ? "Calendar '%s' left it out.".formatted(by.map(Sentence::quoted).orElse(""))
        : "Quiet hours '%s' left it out.".formatted(by.map(Sentence::quoted).orElse(""));
  }

  /** Say that quiet hours, or the calendar after them, left out a slot that was late. */
  static String late(Definition definition, Policy policy, Optional<String> by) {
    String name = by.map(Sentence::quoted).orElse("");
    return policy == Policy.CALENDAR
        ? "It was late when it was quiet, and what comes after that is no business time in calendar '%s'; %s leaves it out."
            .formatted(name, how(definition))
        : "Quiet hours '%s' leave it out: it was late, and they let nothing start that is late."
            .formatted(name);
  }

  /** Say that quiet hours put off a run that was late. */
  static String heldBack(String until) {
    return "It was late, and it was quiet; so it was put off until %s.".formatted(until);
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static String how(Definition definition) {
    return definition.calendar().map(RuleText::how).orElse("it");
  }

  private static String how(CalendarPolicy policy) {
    String offset =
        policy.offset() == 0
            ? ""
            : " with offset %s%s".formatted(policy.offset() > 0 ? "+" : "", policy.offset());
    String hours =
        policy.outsideHours() == OutsideHours.ALLOW
            ? ""
            : " (outside hours %s)".formatted(word(policy.outsideHours()));
    return "roll " + word(policy.roll()) + offset + hours;
  }

  /** Say who changed a calendar or quiet hours. */
  static String changed(Finding finding, RuleChange change) {
    String what =
        (change.policy() == Policy.CALENDAR ? "calendar '" : "quiet hours '")
            + Sentence.quoted(change.name())
            + "'";
    String who = Sentence.quoted(change.changed().by());
    String when = finding.text(change.changed().at());
    Optional<String> reason = Optional.of(change.reason()).filter(given -> !given.isBlank());
    return Sentence.because(
        change.deleted()
            ? "%s deleted %s at %s".formatted(who, what, when)
            : "%s saved version %s of %s at %s".formatted(who, change.version(), what, when),
        reason);
  }
}
