package dev.carillon.simulation;

import dev.carillon.model.RunId;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * Holds what the store says and what handlers did against the guarantees, without help of what it
 * checks: slots are walked one by one, rows are read as they stand.
 *
 * <p>It looks when all is quiet: every node well, every handler done, nothing due.
 */
public final class Auditor {
  private final BookReader reader;

  /** Audit the database that {@code source} leads to. */
  public Auditor(DataSource source) {
    this.reader = new BookReader(source);
  }

  /**
   * What an audit found.
   *
   * @param runs how many runs it looked at
   * @param violations the laws that were broken
   */
  public record Findings(int runs, List<Violation> violations) {}

  /**
   * Audit everything up to {@code now}.
   *
   * @param effects all that handlers did
   * @param promised runs that somebody was told exist
   */
  public Findings audit(List<Effect> effects, Set<RunId> promised, Set<RunId> late, Instant now) {
    Books books = reader.read();
    var violations = new Violations();
    acknowledged(books, promised, violations);
    new SlotLaws(books, now, violations).check();
    new CatchUpLaws(books, violations).check();
    new RuleLaws(books, now, violations).check();
    new PauseLaws(books, promised, now, violations).check();
    new AttemptLaws(books, effects, violations).check();
    new LaneLaws(books, effects, violations).check();
    new DeadlineLaws(books, now, violations).check();
    new QuietLaws(books, now, violations).check();
    new HeldBackLaws(books, late, violations).check();
    return new Findings(books.runs().size(), violations.list());
  }

  private static void acknowledged(Books books, Set<RunId> promised, Violations violations) {
    Set<RunId> there = books.runs().stream().map(Books.Logged::id).collect(Collectors.toSet());
    for (RunId id : promised) {
      violations.check(
          there.contains(id), "acknowledged", "run %s/%s is gone", id.schedule(), id.slot());
    }
  }
}
