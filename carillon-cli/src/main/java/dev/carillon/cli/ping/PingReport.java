package dev.carillon.cli.ping;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import org.jspecify.annotations.Nullable;

/** What a ping says beside what happened. */
final class PingReport {
  private PingReport() {}

  static ObjectNode of(@Nullable Long tookMs, @Nullable Integer exitCode, @Nullable String output) {
    ObjectNode report = Json.object();
    if (tookMs != null) {
      report.put("durationMs", tookMs);
    }
    if (exitCode != null) {
      report.put("exitCode", exitCode);
    }
    if (output != null && !output.isEmpty()) {
      report.put("output", output);
    }
    return report;
  }
}
