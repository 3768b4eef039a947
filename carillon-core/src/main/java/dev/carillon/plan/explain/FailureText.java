package dev.carillon.plan.explain;

import dev.carillon.model.Failure;

/** Puts failures into words. */
final class FailureText {
  private FailureText() {}

  static String of(Failure failure) {
    return failure.message().isBlank()
        ? Sentence.quoted(failure.code())
        : Sentence.quoted(failure.code() + ": " + failure.message());
  }
}
