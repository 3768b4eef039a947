package dev.carillon.server.read;

import dev.carillon.server.web.Problem.FieldError;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.time.CronSyntaxException;
import dev.carillon.time.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What is wrong with a request, gathered until all of it has been read. */
final class FieldErrors {
  private static final int MAX_TOLD = 50;

  private final List<FieldError> found = new ArrayList<>();

  void add(FieldError fieldError) {
    if (!full() && !found.contains(fieldError)) {
      found.add(fieldError);
    }
  }

  /** Return what {@code work} makes; if it refuses its input, that is an error of the body. */
  <T> Optional<T> at(String pointer, Supplier<T> work) {
    try {
      return Optional.of(work.get());
    } catch (InvalidValueException e) {
      add(FieldError.at(pointer, message(e)));
      return Optional.empty();
    }
  }

  /** Return what {@code work} makes; if it refuses its input, that is an error of the query. */
  <T> Optional<T> in(String parameter, Supplier<T> work) {
    try {
      return Optional.of(work.get());
    } catch (InvalidValueException e) {
      add(FieldError.in(parameter, message(e)));
      return Optional.empty();
    }
  }

  /** Return whether as many are known as are told. */
  boolean full() {
    return found.size() >= MAX_TOLD;
  }

  boolean none() {
    return found.isEmpty();
  }

  void refuse(ProblemKind kind) {
    if (!found.isEmpty()) {
      throw new ProblemException(kind, found);
    }
  }

  /* The picture with the caret is for terminals. */
  static String message(InvalidValueException refusal) {
    return refusal instanceof CronSyntaxException syntax
        ? "%s (at character %s). %s"
            .formatted(syntax.problem(), syntax.position() + 1, syntax.hint())
        : String.valueOf(refusal.getMessage());
  }
}
