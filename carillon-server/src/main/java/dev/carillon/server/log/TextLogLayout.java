package dev.carillon.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.carillon.json.PrintableText;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Writes each line of the log for people: when, how grave, from where and what.
 *
 * <p>Only details and stack traces go on below. Their lines begin with a tab, or with the class of
 * what was thrown, so that nothing logged passes for a line of its own.
 */
public final class TextLogLayout extends EncoderBase<ILoggingEvent> {
  private static final byte[] NOTHING = new byte[0];
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    String level = event.getLevel().toString();
    var text =
        new StringBuilder(TIME.format(event.getInstant()))
            .append(' ')
            .append(level)
            .append(" ".repeat(Math.max(0, 5 - level.length())))
            .append(' ')
            .append(PrintableText.line(shortName(event.getLoggerName())))
            .append(": ");
    String message = event.getFormattedMessage();
    int end = DetailedMessage.is(event) ? message.indexOf('\n') : -1;
    if (end < 0) {
      text.append(PrintableText.line(message));
    } else {
      text.append(PrintableText.line(message.substring(0, end)))
          .append('\n')
          .append(PrintableText.indented(message.substring(end + 1)));
    }
    if (event.getThrowableProxy() != null) {
      text.append('\n').append(StackTraceText.of(event.getThrowableProxy()));
    }
    return text.append('\n').toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String shortName(String logger) {
    return logger.substring(logger.lastIndexOf('.') + 1);
  }
}
