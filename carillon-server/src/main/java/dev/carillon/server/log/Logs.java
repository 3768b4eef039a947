package dev.carillon.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import org.slf4j.LoggerFactory;

/** The log of this process. */
public final class Logs {
  private static final String REQUESTS = "dev.carillon.server.requests";

  private Logs() {}

  /** Write the log as {@code settings} say from now on. */
  public static void use(LogSettings settings) {
    if (!(LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME) instanceof Logger root)) {
      return;
    }
    settings
        .level()
        .ifPresent(level -> logger("dev.carillon").setLevel(Level.convertAnSLF4JLevel(level)));
    logger(REQUESTS).setLevel(settings.requests() ? Level.INFO : Level.WARN);
    if (settings.format() == LogSettings.Format.JSON) {
      root.iteratorForAppenders()
          .forEachRemaining(
              appender -> {
                if (appender instanceof ConsoleAppender<ILoggingEvent> console) {
                  writeJson(console);
                }
              });
    }
  }

  private static void writeJson(ConsoleAppender<ILoggingEvent> console) {
    var encoder = new JsonLines();
    encoder.setContext(console.getContext());
    encoder.start();
    console.setEncoder(encoder);
  }

  private static Logger logger(String name) {
    return (Logger) LoggerFactory.getLogger(name);
  }
}
