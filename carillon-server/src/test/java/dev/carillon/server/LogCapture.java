package dev.carillon.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import dev.carillon.server.log.JsonLogLayout;
import dev.carillon.server.log.LogbackLoggers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Everything that is logged while it is open, with what was thrown: our own at every level, and
 * that of libraries as far as an operator would turn it up.
 */
final class LogCapture extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
  private final Logger root = LogbackLoggers.named(org.slf4j.Logger.ROOT_LOGGER_NAME);
  private final Logger ours = LogbackLoggers.named("dev.carillon");
  private final Level before = root.getLevel();
  private final JsonLogLayout encoder = new JsonLogLayout();

  LogCapture() {
    setContext(root.getLoggerContext());
    start();
    root.setLevel(Level.INFO);
    ours.setLevel(Level.TRACE);
    root.addAppender(this);
  }

  @Override
  protected void append(ILoggingEvent event) {
    lines.add(new String(encoder.encode(event), StandardCharsets.UTF_8));
    for (IThrowableProxy thrown = event.getThrowableProxy();
        thrown != null;
        thrown = thrown.getCause()) {
      lines.add(thrown.getClassName() + " " + thrown.getMessage());
    }
  }

  String text() {
    return String.join("\n", lines);
  }

  @Override
  public void close() {
    root.detachAppender(this);
    root.setLevel(before);
    ours.setLevel(null);
  }
}
