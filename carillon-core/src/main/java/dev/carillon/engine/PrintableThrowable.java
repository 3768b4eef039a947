package dev.carillon.engine;

import dev.carillon.json.PrintableText;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What was thrown, for a log whose appenders are the host's: with its stack trace and causes, and
 * with messages that cannot forge a line.
 */
final class PrintableThrowable extends Exception {
  private static final long serialVersionUID = 1;
  private static final int MAX_CAUSES = 20;

  private PrintableThrowable(Throwable thrown, @Nullable Throwable cause) {
    super(PrintableText.line(thrown.toString()), cause);
    setStackTrace(thrown.getStackTrace());
  }

  /** Return {@code thrown} itself if all of its messages are printable, and else what shows it. */
  static Throwable of(Throwable thrown) {
    return isPrintable(thrown, Collections.newSetFromMap(new IdentityHashMap<>()))
        ? thrown
        : copy(thrown, MAX_CAUSES);
  }

  private static boolean isPrintable(Throwable thrown, Set<Throwable> seen) {
    if (!seen.add(thrown)) {
      return true;
    }
    Throwable cause = thrown.getCause();
    if (!PrintableText.isPrintable(thrown.toString())
        || (cause != null && !isPrintable(cause, seen))) {
      return false;
    }
    for (Throwable suppressed : thrown.getSuppressed()) {
      if (!isPrintable(suppressed, seen)) {
        return false;
      }
    }
    return true;
  }

  private static PrintableThrowable copy(Throwable thrown, int depth) {
    Throwable cause = thrown.getCause();
    var copy =
        new PrintableThrowable(thrown, cause == null || depth == 0 ? null : copy(cause, depth - 1));
    if (depth == MAX_CAUSES) {
      for (Throwable suppressed : thrown.getSuppressed()) {
        copy.addSuppressed(new PrintableThrowable(suppressed, null));
      }
    }
    return copy;
  }
}
