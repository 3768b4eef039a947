package dev.carillon.resilience.soak;

import dev.carillon.resilience.cluster.Api;
import dev.carillon.resilience.cluster.Journal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Schedules that fire every second: most do nothing, some call the journal. */
final class SoakLoad {
  private static final String[] OVERLAPS = {"queue", "skip", "allow"};

  private final Api api;
  private final int schedules;
  private final int calling;

  SoakLoad(Api api, int schedules, int calling) {
    this.api = api;
    this.schedules = schedules;
    this.calling = calling;
  }

  /** Create the target and the schedules; return the first slot that all of them have. */
  Instant begin(Journal journal) {
    api.put(
        "/targets/journal",
        """
        {"type": "http", "url": "%s", "timeout": "PT10S", "maxConcurrent": 200}"""
            .formatted(journal.url()));
    for (int i = 0; i < schedules; i++) {
      boolean calls = i < calling;
      api.put(
          "/schedules/%s-%03d".formatted(calls ? "call" : "noop", i),
          """
          {"target": "%s", "timing": {"every": "PT1S"}, "overlap": "%s",
           "catchUp": {"mode": "all", "limit": 1000, "grace": "PT1M"},
           "retry": {"attempts": 3, "backoff": "PT0.5S"}}"""
              .formatted(
                  calls ? "journal" : "noop", calls ? OVERLAPS[i % OVERLAPS.length] : "allow"));
    }
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
  }

  /** Pause all schedules; return the last slot that all of them have had. */
  Instant end() {
    Instant last = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    api.post(
        "/schedules/bulk",
        """
        {"filter": {}, "action": "pause", "reason": "the soak is over", "all": true}""");
    return last;
  }
}
