package dev.carillon.server.store;

import dev.carillon.json.AsciiText;
import dev.carillon.model.RunId;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A position in the order of all changes of a cluster: the transaction, then a run or a number.
 *
 * <p>Transactions are numbered when they begin and commit in any order. Only changes older than
 * every open transaction are read, so no change appears before a position that was read.
 *
 * @param transaction the number of the transaction
 * @param at when the change was made; nothing after it was made more than half a minute before
 * @param run the run that ended, if it is about one
 * @param line the number of the audit entry otherwise; 0 is before the first
 */
public record ChangePosition(long transaction, Instant at, Optional<RunId> run, long line) {
  private static final long LAST = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();

  /** Return the position before all changes of {@code transaction} and later ones. */
  static ChangePosition before(long transaction, Instant at) {
    return new ChangePosition(transaction, at, Optional.empty(), 0);
  }

  /** Parse a position; empty if the text is not one. */
  public static Optional<ChangePosition> parse(String text) {
    String[] parts = text.split("-", 3); // the id of a run has further hyphens
    if (parts.length < 3) {
      return Optional.empty();
    }
    OptionalLong transaction = AsciiText.number(parts[0], 18);
    OptionalLong seconds = AsciiText.number(parts[1], 12);
    if (transaction.isEmpty() || seconds.isEmpty() || seconds.getAsLong() > LAST) {
      return Optional.empty();
    }
    ChangePosition first =
        before(transaction.getAsLong(), Instant.ofEpochSecond(seconds.getAsLong()));
    return parts[2].startsWith("a") && !AsciiText.isUuid(parts[2])
        ? first.line(AsciiText.number(parts[2].substring(1), 18))
        : first.run(parts[2]);
  }

  private Optional<ChangePosition> line(OptionalLong number) {
    return number.isPresent()
        ? Optional.of(new ChangePosition(transaction, at, run, number.getAsLong()))
        : Optional.empty();
  }

  private Optional<ChangePosition> run(String id) {
    return RunId.parse(id)
        .filter(found -> found.toString().equals(id))
        .map(found -> new ChangePosition(transaction, at, Optional.of(found), line));
  }

  @Override
  public String toString() {
    return "%s-%s-%s"
        .formatted(
            transaction, at.getEpochSecond(), run.map(RunId::toString).orElseGet(() -> "a" + line));
  }
}
