package dev.carillon.engine;

import dev.carillon.json.PrintableText;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.spi.LoggingEventBuilder;
import org.slf4j.spi.NOPLoggingEventBuilder;

/**
 * A line of the log whose values are in its message, for people, and beside it as key-value pairs,
 * for programs: few patterns of text logs show the latter.
 */
final class LogLine {
  /** The pair that has a stack trace, which follows the line. */
  static final String DETAILS = "details";

  private static final int MAX_VALUE = 2_000;

  private LoggingEventBuilder line;
  private final @Nullable StringBuilder text;

  /** Begin a line that says {@code what}; it costs little if {@code line} is not written. */
  LogLine(LoggingEventBuilder line, String what) {
    this.line = line;
    this.text = line instanceof NOPLoggingEventBuilder ? null : new StringBuilder(what).append(':');
  }

  LogLine with(String name, Object value) {
    if (text != null) {
      line = line.addKeyValue(name, isPlain(value) ? value : PrintableText.line(value.toString()));
      text.append(' ').append(name).append('=').append(shown(value.toString()));
    }
    return this;
  }

  /** Add a value, if there is one. */
  LogLine with(String name, Optional<?> value) {
    return value.isPresent() ? with(name, value.get()) : this;
  }

  /** Add the stack trace of {@code cause}, if there is one. */
  LogLine causedBy(Optional<Throwable> cause) {
    cause.ifPresent(thrown -> line = line.setCause(PrintableThrowable.of(thrown)));
    return this;
  }

  void log() {
    if (text != null) {
      line.log(text.toString());
    }
  }

  /** Write the line, and {@code details} below it. */
  void log(String details) {
    if (text != null) {
      String indented = PrintableText.indented(details);
      line.addKeyValue(DETAILS, indented.strip())
          .log(text.append('\n').append(indented).toString());
    }
  }

  private static boolean isPlain(Object value) {
    return value instanceof Number || value instanceof Boolean;
  }

  /* One line, in which it is plain where a value ends. */
  private static String shown(String value) {
    String cut = value.length() <= MAX_VALUE ? value : value.substring(0, MAX_VALUE - 1) + "…";
    boolean plain =
        !cut.isEmpty()
            && cut.indexOf(' ') < 0
            && cut.indexOf('"') < 0
            && PrintableText.isPrintable(cut);
    return plain ? cut : "\"" + PrintableText.line(cut.replace('"', '\'')) + "\"";
  }
}
