package dev.carillon.server;

import dev.carillon.ScheduleDraft;
import dev.carillon.server.api.ScheduleReader;
import dev.carillon.server.web.Problem;
import dev.carillon.server.web.ProblemException;
import dev.carillon.time.InvalidValueException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as REST clients write it, read as a server does, but whatever its target.
 *
 * @param draft the schedule; empty if it has mistakes
 * @param mistakes what is wrong with it
 */
public record ScheduleDocument(Optional<ScheduleDraft> draft, List<Mistake> mistakes) {
  public ScheduleDocument {
    mistakes = List.copyOf(mistakes);
  }

  /**
   * Something wrong with a schedule.
   *
   * @param pointer where, as a JSON pointer; empty for all of it
   * @param message what is wrong there, and the cure
   */
  public record Mistake(String pointer, String message) {}

  /** Read the schedule called {@code key}. */
  public static ScheduleDocument read(String key, Map<String, @Nullable Object> json) {
    try {
      return new ScheduleDocument(Optional.of(ScheduleReader.read(key, json)), List.of());
    } catch (ProblemException e) {
      return new ScheduleDocument(Optional.empty(), mistakes(e.problem()));
    } catch (InvalidValueException e) {
      return new ScheduleDocument(
          Optional.empty(), List.of(new Mistake("", String.valueOf(e.getMessage()))));
    }
  }

  static List<Mistake> mistakes(Problem problem) {
    return problem.errors().isEmpty()
        ? List.of(new Mistake("", problem.detail()))
        : problem.errors().stream()
            .map(error -> new Mistake(error.place(), error.message()))
            .toList();
  }
}
