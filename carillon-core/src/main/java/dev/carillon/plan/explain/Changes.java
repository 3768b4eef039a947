package dev.carillon.plan.explain;

import dev.carillon.model.AuditEntry;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The pauses, resumes and ends of a schedule around an instant. */
final class Changes {
  static final String PAUSED = "schedule.paused";
  static final String PAUSE_PLANNED = "schedule.pause_planned";
  static final String RESUMED = "schedule.resumed";
  static final String RETIRED = "schedule.retired";
  static final String COMPLETED = "schedule.completed";

  private final Finding finding;

  Changes(Finding finding) {
    this.finding = finding;
  }

  private Stream<AuditEntry> all() {
    return finding.facts().changes().stream();
  }

  private static Optional<AuditEntry> last(Stream<AuditEntry> entries) {
    return entries.reduce((one, later) -> later);
  }

  /** Return the change that ended the schedule at {@code end}. */
  Optional<AuditEntry> end(Instant end) {
    return last(
        all()
            .filter(entry -> entry.changedBy().at().equals(end))
            .filter(is(RETIRED).or(is(COMPLETED))));
  }

  /**
   * Return what paused the schedule at the instant: the last pause that had begun by then, or the
   * one that took back a run which was not due yet.
   */
  Optional<AuditEntry> pause() {
    Optional<AuditEntry> begun =
        last(
            all()
                .filter(is(PAUSED).or(is(PAUSE_PLANNED)))
                .filter(entry -> !begin(entry).isAfter(finding.meant())));
    return begun
        .filter(entry -> !isOver(entry))
        .or(
            () ->
                finding
                    .decision()
                    .flatMap(
                        decision ->
                            last(
                                all()
                                    .filter(is(PAUSED))
                                    .filter(
                                        entry ->
                                            entry.changedBy().at().equals(decision.decidedAt())))))
        .map(this::planned);
  }

  /* A pause with an end is over then, even if nobody was there to resume the schedule. */
  private boolean isOver(AuditEntry pause) {
    return Stream.concat(
            text(pause, "until").map(Instant::parse).stream(),
            resume(pause).map(entry -> entry.changedBy().at()).stream())
        .anyMatch(end -> end.isBefore(finding.meant()));
  }

  /* Who planned a pause says more than the engine, which began it. */
  private AuditEntry planned(AuditEntry pause) {
    Optional<String> from = text(pause, "from");
    return from.isEmpty() || is(PAUSE_PLANNED).test(pause)
        ? pause
        : last(all()
                .filter(is(PAUSE_PLANNED))
                .filter(entry -> entry.id() < pause.id() && text(entry, "from").equals(from)))
            .orElse(pause);
  }

  /** Return the end of {@code pause}, if it has ended: a resume, or the end of the schedule. */
  Optional<AuditEntry> resume(AuditEntry pause) {
    return all()
        .filter(entry -> entry.id() > pause.id())
        .filter(is(RESUMED).or(is(RETIRED)).or(is(COMPLETED)))
        .findFirst();
  }

  /** Return the first instant whose slots a pause stops. */
  private static Instant begin(AuditEntry pause) {
    return text(pause, "from").map(Instant::parse).orElse(pause.changedBy().at());
  }

  static Predicate<AuditEntry> is(String action) {
    return entry -> entry.action().equals(action);
  }

  static Optional<String> text(AuditEntry entry, String name) {
    return entry.details().get(name) instanceof String text ? Optional.of(text) : Optional.empty();
  }
}
