package dev.carillon.resilience.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Faults, trials, what was promised and what was seen, as a table for the docs. */
final class FaultMatrix {
  private final Map<Fault, List<Trial>> trials = new EnumMap<>(Fault.class);

  void add(Fault fault, Trial trial) {
    trials.computeIfAbsent(fault, each -> new ArrayList<>()).add(trial);
  }

  String markdown() {
    var text =
        new StringBuilder(
            """
            | fault | trials | slots | promised | lost, doubled, early | overlaps | with a reason | called again | latest start | all back after |
            |---|---:|---:|---|---:|---:|---:|---:|---:|---:|
            """);
    trials.forEach((fault, all) -> text.append(row(fault, all)));
    return text.toString();
  }

  private static String row(Fault fault, List<Trial> trials) {
    Findings sum = Findings.NONE;
    Duration recovery = Duration.ZERO;
    for (Trial trial : trials) {
      sum = sum.and(trial.findings());
      recovery = trial.recovery().compareTo(recovery) > 0 ? trial.recovery() : recovery;
    }
    long slots =
        sum.broken().stream()
            .filter(what -> what.matches("(?s)(lost|doubled|early|stuck):.*"))
            .count();
    return "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n"
        .formatted(
            fault.words(),
            trials.size(),
            sum.slots(),
            fault.promise(),
            slots,
            sum.overlaps(),
            sum.decided(),
            sum.again(),
            seconds(sum.latest()),
            seconds(recovery));
  }

  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
  }
}
