package dev.carillon.server.log;

import java.util.Optional;
import org.slf4j.event.Level;

/**
 * How the log is written.
 *
 * @param format as lines for people or for programs
 * @param level from which level on, if set
 * @param requests whether each request has a line
 */
public record LogSettings(Format format, Optional<Level> level, boolean requests) {
  /** What a line is. */
  public enum Format {
    TEXT,
    JSON
  }

  /** As it is unless set. */
  public static final LogSettings DEFAULTS = new LogSettings(Format.TEXT, Optional.empty(), false);
}
