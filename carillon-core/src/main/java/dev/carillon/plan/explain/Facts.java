package dev.carillon.plan.explain;

import dev.carillon.model.AuditEntry;
import dev.carillon.model.Decision;
import dev.carillon.model.Run;
import dev.carillon.model.Schedule;
import dev.carillon.plan.Forecast;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What is known of a schedule around an instant.
 *
 * @param at the instant
 * @param now what the clock shows
 * @param schedule the schedule as it stands
 * @param forecast what is to become of the slots that are not decided yet
 * @param run the run of the slot at that instant
 * @param runs runs near the instant: the last ones up to it, and the first ones after it
 * @param decisions decisions near the instant: the last ones that begin by it, and the first after
 * @param versions the version in force, the next ones, and those of the runs and decisions
 * @param changes pauses, resumes and ends near the instant, oldest first
 * @param rules the calendars and quiet hours that were in force around the instant
 * @param dueRuns runs that were due at the instant and have another slot
 * @param nodes the names of the nodes that are known, by their ids
 * @param lookahead how long before they are due slots become runs
 * @param retention how long what is over is kept
 */
public record Facts(
    Instant at,
    Instant now,
    Schedule schedule,
    Forecast forecast,
    Optional<Run> run,
    List<NearRun> runs,
    List<Decision> decisions,
    List<KnownVersion> versions,
    List<AuditEntry> changes,
    RuleHistory rules,
    List<NearRun> dueRuns,
    Map<UUID, String> nodes,
    Duration lookahead,
    Duration retention) {
  public Facts {
    runs = List.copyOf(runs);
    decisions = List.copyOf(decisions);
    versions = versions.stream().sorted(Comparator.comparing(KnownVersion::number)).toList();
    changes = List.copyOf(changes);
    dueRuns = List.copyOf(dueRuns);
    nodes = Map.copyOf(nodes);
  }

  /** Return the version with this number, if it is known. */
  Optional<KnownVersion> version(int number) {
    return versions.stream().filter(version -> version.number() == number).findFirst();
  }

  /** Return the last version made before {@code slot}, whether or not the schedule was retired. */
  Optional<KnownVersion> lastBefore(Instant slot) {
    return versions.stream()
        .filter(version -> version.created().at().isBefore(slot))
        .reduce((one, later) -> later);
  }

  /** Return the first version made at or after {@code slot}. */
  Optional<KnownVersion> firstAfter(Instant slot) {
    return versions.stream().filter(version -> !version.created().at().isBefore(slot)).findFirst();
  }

  /** Return the instant before which what is over may have been deleted. */
  Instant keptFrom() {
    return now.minus(retention);
  }
}
