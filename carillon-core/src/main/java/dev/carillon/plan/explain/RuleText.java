package dev.carillon.plan.explain;

import dev.carillon.model.Definition;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.plan.SlotDue.Obstacle;
import dev.carillon.plan.explain.JudgedBy.Judged;
import dev.carillon.policy.CalendarPolicy;
import dev.carillon.time.Due;
import dev.carillon.time.Due.Policy;
import dev.carillon.time.business.CalendarTiming;
import dev.carillon.time.business.OutsideHours;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** Puts into words what a calendar or quiet hours did to a slot. */
final class RuleText {
  private RuleText() {}

  /** Say which move a calendar or quiet hours made. */
  static String moved(Finding finding, Judged judged, Due.Move move) {
    String clause = clause(finding, judged, move);
    return clause.substring(0, 1).toUpperCase(Locale.ROOT) + clause.substring(1);
  }

  /** Say the same as the end of a sentence. */
  static String clause(Finding finding, Judged judged, Due.Move move) {
    String name = Sentence.quoted(move.by());
    String because = Sentence.quoted(move.because());
    String to = finding.text(move.to());
    if (move.policy() == Policy.QUIET_HOURS) {
      return "quiet hours '%s' defer it to %s: %s.".formatted(name, to, because);
    }
    return judged.isMeant(move)
        ? standsFor(because, to, name)
        : "%s in calendar '%s'; %s to %s."
            .formatted(
                because,
                name,
                judged
                    .definition()
                    .calendar()
                    .map(policy -> how(policy) + " moves it")
                    .orElse("so it goes on"),
                to);
  }

  /** Say which time a slot of a timing by a calendar stands for, as the end of a sentence. */
  static String standsFor(String what, String when, String calendar) {
    return "it stands for %s, which is %s by calendar '%s'."
        .formatted(Sentence.quoted(what), when, Sentence.quoted(calendar));
  }

  /** Tell what leaves out a slot since it stands for no time by the calendar of the timing. */
  static Predicate<Obstacle> isUnnamed(Definition definition) {
    return obstacle ->
        definition.timing() instanceof CalendarTiming timing
            && obstacle.reason() == Reason.CALENDAR
            && obstacle.by().filter(timing.calendar()::equals).isPresent()
            && definition
                .calendar()
                .filter(policy -> policy.name().equals(timing.calendar()))
                .filter(policy -> policy.outsideHours() == OutsideHours.SKIP)
                .isEmpty();
  }

  /** Say why a calendar or quiet hours left a slot out. */
  static String dropped(Definition definition, Policy policy, Obstacle obstacle) {
    String name = obstacle.by().map(Sentence::quoted).orElse("");
    String because = Sentence.quoted(obstacle.because());
    if (policy == Policy.QUIET_HOURS) {
      return "Quiet hours '%s' leave it out: %s.".formatted(name, because);
    }
    return isUnnamed(definition).test(obstacle)
        ? "%s in calendar '%s'; so it stands for no time, and becomes no run."
            .formatted(because, name)
        : "%s in calendar '%s'; %s leaves it out.".formatted(because, name, how(definition));
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
