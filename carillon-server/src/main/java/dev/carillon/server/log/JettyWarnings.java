package dev.carillon.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Logs what Jetty warns of without what a client sent, and once a minute for each of its classes.
 *
 * <p>Jetty puts headers into its warnings; anyone can send as many and as long ones as they like.
 */
public final class JettyWarnings extends TurboFilter {
  private static final org.slf4j.Logger LOG = LoggerFactory.getLogger("dev.carillon.server.http");
  private static final String JETTY = "org.eclipse.jetty.";
  private static final int MAX_LENGTH = 200;

  private final Map<String, RateLimitedLog> limits = new ConcurrentHashMap<>();

  private JettyWarnings() {}

  /** Take over the warnings of Jetty from now on. */
  public static synchronized void install() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context
        && context.getTurboFilterList().stream().noneMatch(JettyWarnings.class::isInstance)) {
      context.addTurboFilter(new JettyWarnings());
    }
  }

  /* Without a format, it is only asked whether such a line would be logged. */
  @Override
  public FilterReply decide(
      @Nullable Marker marker,
      Logger logger,
      Level level,
      @Nullable String format,
      Object @Nullable [] values,
      @Nullable Throwable thrown) {
    if (format == null
        || !level.isGreaterOrEqual(Level.WARN)
        || !logger.getName().startsWith(JETTY)) {
      return FilterReply.NEUTRAL;
    }
    if (logger.isEnabledFor(level)) {
      limits
          .computeIfAbsent(logger.getName(), name -> new RateLimitedLog())
          .happened()
          .ifPresent(times -> log(logger.getName(), level, format, cause(values, thrown), times));
    }
    return FilterReply.DENY;
  }

  private static void log(
      String logger, Level level, String format, @Nullable Throwable cause, long times) {
    String line =
        "%s: %s (%s since the last such line)"
            .formatted(
                logger.substring(logger.lastIndexOf('.') + 1),
                format.length() > MAX_LENGTH ? format.substring(0, MAX_LENGTH) + "…" : format,
                times);
    LOG.makeLoggingEventBuilder(
            level == Level.ERROR ? org.slf4j.event.Level.ERROR : org.slf4j.event.Level.WARN)
        .setCause(cause == null ? null : new WithoutMessage(cause))
        .log(line);
  }

  private static @Nullable Throwable cause(Object @Nullable [] values, @Nullable Throwable thrown) {
    return thrown == null
            && values != null
            && values.length > 0
            && values[values.length - 1] instanceof Throwable last
        ? last
        : thrown;
  }

  /** What was thrown where: its message may hold what a client sent. */
  private static final class WithoutMessage extends Exception {
    private static final long serialVersionUID = 1;

    WithoutMessage(Throwable thrown) {
      super(thrown.getClass().getName());
      setStackTrace(thrown.getStackTrace());
    }
  }
}
