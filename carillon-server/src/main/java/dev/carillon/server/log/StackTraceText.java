package dev.carillon.server.log;

import ch.qos.logback.classic.spi.IThrowableProxy;
import dev.carillon.json.PrintableText;
import org.jspecify.annotations.Nullable;

/** Writes stack traces as Java does, but each message on one line. */
final class StackTraceText {
  private final StringBuilder text = new StringBuilder();

  private StackTraceText() {}

  /** Return the stack trace of {@code thrown} with those of its causes. */
  static String of(IThrowableProxy thrown) {
    var trace = new StackTraceText();
    trace.add(thrown, "", "");
    return trace.text.toString();
  }

  private void add(@Nullable IThrowableProxy thrown, String indent, String caption) {
    if (thrown == null) {
      return;
    }
    text.append(text.isEmpty() ? "" : "\n").append(indent).append(caption).append(title(thrown));
    if (thrown.isCyclic()) {
      return;
    }
    var frames = thrown.getStackTraceElementProxyArray();
    int common = thrown.getCommonFrames();
    for (int i = 0; i < frames.length - common; i++) {
      text.append("\n\t").append(indent).append(PrintableText.line(frames[i].getSTEAsString()));
    }
    if (common > 0) {
      text.append("\n\t").append(indent).append("... ").append(common).append(" more");
    }
    for (IThrowableProxy suppressed : thrown.getSuppressed()) {
      add(suppressed, indent + "\t", "Suppressed: ");
    }
    add(thrown.getCause(), indent, "Caused by: ");
  }

  private static String title(IThrowableProxy thrown) {
    String message = thrown.getMessage();
    return message == null
        ? thrown.getClassName()
        : thrown.getClassName() + ": " + PrintableText.line(message);
  }
}
