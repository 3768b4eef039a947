package dev.carillon.cli.calendar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.CountText;
import dev.carillon.cli.console.Output;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a change of a calendar or of quiet hours does to schedules, in words. */
public final class RuleChangeText {
  private RuleChangeText() {}

  /**
   * Say it in one line, such as {@code 12 schedules use it; 31 slots of the next 30 days move, 2
   * are lost}; empty if no schedule is concerned.
   */
  public static Optional<String> of(JsonNode answer) {
    JsonNode slots = answer.path("slots");
    long schedules = slots.path("schedules").asLong();
    return schedules == 0
        ? Optional.empty()
        : Optional.of(
            CountText.of(schedules, "schedule uses it; ", "schedules use it; ")
                + (slots.path("complete").asBoolean()
                    ? slots(slots)
                    : "of the first, " + slots(slots) + "; there are too many to compare all")
                + replanned(answer.path("replanned")));
  }

  /** Print it; of a dry run also that no schedule is concerned. */
  static void print(JsonNode answer, Output output) {
    of(answer)
        .or(
            () ->
                answer.path("dryRun").asBoolean()
                    ? Optional.of("no slot of a schedule changes")
                    : Optional.empty())
        .ifPresent(output::line);
  }

  private static String slots(JsonNode slots) {
    var parts = new ArrayList<String>();
    add(parts, slots.path("moved").asLong(), "moves", "move");
    add(parts, slots.path("lost").asLong(), "is lost", "are lost");
    add(parts, slots.path("gained").asLong(), "is gained", "are gained");
    return parts.isEmpty() ? "no slot of the next 30 days changes" : String.join(", ", parts);
  }

  /* Only the first says of what. */
  private static void add(List<String> parts, long count, String one, String many) {
    if (count > 0) {
      String what =
          parts.isEmpty()
              ? CountText.of(count, "slot", "slots") + " of the next 30 days"
              : String.valueOf(count);
      parts.add(what + " " + (count == 1 ? one : many));
    }
  }

  private static String replanned(JsonNode replanned) {
    long runs = replanned.path("runs").asLong();
    boolean done = replanned.path("done").asBoolean(true);
    return (runs == 0
            ? ""
            : "; " + CountText.of(runs, "planned run was replanned", "planned runs were replanned"))
        + (done ? "" : "; the nodes go on with replanning");
  }
}
