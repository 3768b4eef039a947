package dev.carillon.server.log;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Limits lines of the log to one a minute for each cause, of which the last hundred are known. */
public final class RateLimitedLogs {
  private static final int MAX_CAUSES = 100;

  private final Map<String, RateLimitedLog> byCause =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, RateLimitedLog> eldest) {
          return size() > MAX_CAUSES;
        }
      };

  /** Count {@code cause} once more; return how often since its last line, if another is due. */
  public OptionalLong happened(String cause) {
    RateLimitedLog log;
    synchronized (byCause) {
      log = byCause.computeIfAbsent(cause, one -> new RateLimitedLog());
    }
    return log.happened();
  }
}
