package dev.carillon.engine;

import dev.carillon.json.PrintableText;
import dev.carillon.model.Failure;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.target.Outcome;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Describes what user code threw, whatever that is.
 *
 * <p>The methods of an exception are user code as well: they may throw, run out of stack or memory,
 * or name causes without end. So only as much is rendered as is kept, and a text that was made
 * before anything went wrong is there if all else fails.
 */
public final class ThrowableText {
  /** How an attempt ended if not even its failure could be described. */
  static final Outcome INDESCRIBABLE =
      Outcome.failed(Failure.of("indescribable", "the handler threw what cannot be described"));

  /** How an attempt ended whose handler gave up because its thread was interrupted. */
  static final Outcome INTERRUPTED =
      Outcome.failed(Failure.of("interrupted", "the handler was interrupted"));

  private static final String INDESCRIBABLE_TEXT = "an exception that cannot be described";
  private static final int MAX_THROWABLES = 50;
  private static final int MAX_LINE = Failure.MAX_MESSAGE;
  private static final StackTraceElement[] NO_FRAMES = {};

  private final StringBuilder text = new StringBuilder(1_024);
  private final Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  private ThrowableText() {}

  /** Return the outcome of an attempt that threw {@code e}; never throws. */
  static Outcome outcome(Throwable e) {
    try {
      return Outcome.failed(new Failure(code(e), message(e), trace(e)));
    } catch (Throwable noRoom) {
      return plain(e);
    }
  }

  private static Outcome plain(Throwable e) {
    try {
      return Outcome.failed(Failure.of(code(e), INDESCRIBABLE_TEXT));
    } catch (Throwable noRoom) {
      return INDESCRIBABLE;
    }
  }

  /** Return {@code e} in one line; never throws. */
  static String line(Throwable e) {
    try {
      return PrintableText.line(title(e));
    } catch (Throwable noRoom) {
      return INDESCRIBABLE_TEXT;
    }
  }

  /** Return whether {@code e} is more than a database that does not answer or refuses a right. */
  static boolean isUnexpected(Throwable e) {
    return !(e instanceof StoreException store && (store.isTransient() || store.isForbidden()));
  }

  /** Log {@code what} and {@code e}, with its stack trace if it is unexpected; never throws. */
  public static void log(Logger log, String what, Throwable e) {
    try {
      log.warn("{}: {}", what, line(e), isUnexpected(e) ? PrintableThrowable.of(e) : null);
    } catch (Throwable hostile) { // to render an exception is to call it, and this one throws
      log.warn("{}: {}", what, line(e));
    }
  }

  private static String code(Throwable e) {
    String name = e.getClass().getSimpleName();
    return name.isEmpty() ? e.getClass().getName() : name;
  }

  private static String message(Throwable e) {
    try {
      String message = e.getMessage();
      return message == null ? code(e) : message;
    } catch (Throwable hostile) {
      return INDESCRIBABLE_TEXT;
    }
  }

  private static Optional<String> trace(Throwable e) {
    try {
      var throwableText = new ThrowableText();
      throwableText.add(e, "", "", NO_FRAMES);
      return Optional.of(throwableText.text.toString());
    } catch (Throwable hostile) {
      return Optional.empty();
    }
  }

  /* As Throwable.printStackTrace writes it, so that people and tools can read it. */
  private void add(Throwable e, String indent, String caption, StackTraceElement[] outer) {
    if (isFull() || !seen.add(e)) {
      return;
    }
    text.append(indent).append(caption).append(title(e)).append('\n');
    StackTraceElement[] frames = e.getStackTrace();
    int common = inCommon(frames, outer);
    for (int i = 0; i < frames.length - common && !isFull(); i++) {
      text.append(indent).append("\tat ").append(cut(frames[i].toString())).append('\n');
    }
    if (common > 0 && !isFull()) {
      text.append(indent).append("\t... ").append(common).append(" more\n");
    }
    for (Throwable suppressed : e.getSuppressed()) {
      add(suppressed, indent + "\t", "Suppressed: ", frames);
    }
    Throwable cause = e.getCause();
    if (cause != null) {
      add(cause, indent, "Caused by: ", frames);
    }
  }

  private boolean isFull() {
    return text.length() > Failure.MAX_DETAILS || seen.size() >= MAX_THROWABLES;
  }

  private static int inCommon(StackTraceElement[] frames, StackTraceElement[] outer) {
    int common = 0;
    while (common < frames.length
        && common < outer.length
        && frames[frames.length - 1 - common].equals(outer[outer.length - 1 - common])) {
      common++;
    }
    return common;
  }

  /* toString() copies the message, which may be most of the heap. */
  private static String title(Throwable e) {
    String name = e.getClass().getName();
    try {
      String message = e.getLocalizedMessage();
      return message != null && message.length() > MAX_LINE
          ? name + ": " + cut(message)
          : cut(e.toString());
    } catch (Throwable hostile) {
      return name;
    }
  }

  private static String cut(@Nullable String line) {
    String text = String.valueOf(line);
    return text.length() <= MAX_LINE ? text : text.substring(0, MAX_LINE - 1) + "…";
  }
}
