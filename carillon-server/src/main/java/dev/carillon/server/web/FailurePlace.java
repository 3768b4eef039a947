package dev.carillon.server.web;

import dev.carillon.store.jdbc.StoreException;

/** The place in our code where something failed, the same each time that it fails there. */
final class FailurePlace {
  private FailurePlace() {}

  /** Return what was thrown, and where: nothing of its message. */
  static String of(Throwable failure) {
    if (failure instanceof StoreException store) {
      return "%s %s".formatted(store.statement(), store.sqlState().orElse(""));
    }
    StackTraceElement[] frames = failure.getStackTrace();
    var place = new StringBuilder(failure.getClass().getName());
    for (int i = 0; i < Math.min(3, frames.length); i++) {
      place.append(' ').append(frames[i]);
    }
    return failure.getCause() == null || failure.getCause() == failure
        ? place.toString()
        : place + " of " + failure.getCause().getClass().getName();
  }
}
