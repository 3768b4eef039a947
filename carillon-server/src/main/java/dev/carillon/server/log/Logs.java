package dev.carillon.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/** The log of this process. */
public final class Logs {
  private static final org.slf4j.Logger SERVER = LoggerFactory.getLogger("dev.carillon.serve");
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

  /**
   * Write everything as JSON, also before settings are read, and what ends a thread unexpectedly.
   */
  public static void useJsonAlone() {
    use(new LogSettings(LogSettings.Format.JSON, Optional.empty(), false));
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) -> error("thread " + thread.getName() + " ended unexpectedly", failure));
  }

  /** Log a line about the server as a whole. */
  public static void info(String line) {
    SERVER.info(line);
  }

  /** Log a warning about the server as a whole. */
  public static void warn(String line) {
    SERVER.warn(line);
  }

  /** Log why the server cannot run. */
  public static void error(String line) {
    SERVER.error(line);
  }

  /** Log why the server cannot run, with its cause. */
  public static void error(String line, Throwable failure) {
    SERVER.error(line, failure);
  }

  private static void writeJson(ConsoleAppender<ILoggingEvent> console) {
    var encoder = new JsonLogLayout();
    encoder.setContext(console.getContext());
    encoder.start();
    console.setEncoder(encoder);
  }

  private static Logger logger(String name) {
    return (Logger) LoggerFactory.getLogger(name);
  }
}
