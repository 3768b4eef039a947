package dev.carillon.server.log;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import dev.carillon.fixture.Await;
import org.slf4j.LoggerFactory;

/**
 * The loggers of Logback. While one thread initialises SLF4J, others get substitutes from it, which
 * cannot be cast.
 */
public final class LogbackLoggers {
  private LogbackLoggers() {}

  /** Return the logger called {@code name}, once SLF4J is initialised. */
  public static Logger named(String name) {
    Await.until(
        "SLF4J to be initialised",
        () -> LoggerFactory.getILoggerFactory() instanceof LoggerContext);
    return (Logger) LoggerFactory.getLogger(name);
  }
}
