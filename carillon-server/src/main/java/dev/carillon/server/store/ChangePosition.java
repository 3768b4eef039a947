package dev.carillon.server.store;

import dev.carillon.model.RunId;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
  private static final Pattern WRITTEN =
      Pattern.compile("(\\d{1,18})-(\\d{1,12})-(?:a(\\d{1,18})|([0-9a-f-]{36}))");

  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  /** Return the position before all changes of {@code transaction} and later ones. */
  static ChangePosition before(long transaction, Instant at) {
    return new ChangePosition(transaction, at, Optional.empty(), 0);
  }

  /** Parse a position; empty if the text is not one. */
  public static Optional<ChangePosition> parse(String text) {
    Matcher parts = WRITTEN.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    long transaction = Long.parseLong(parts.group(1));
    Instant at = Instant.ofEpochSecond(Long.parseLong(parts.group(2)));
    if (at.isAfter(LAST)) {
      return Optional.empty();
    }
    return parts.group(4) == null
        ? Optional.of(
            new ChangePosition(transaction, at, Optional.empty(), Long.parseLong(parts.group(3))))
        : RunId.parse(parts.group(4))
            .map(id -> new ChangePosition(transaction, at, Optional.of(id), 0));
  }

  @Override
  public String toString() {
    return "%s-%s-%s"
        .formatted(
            transaction, at.getEpochSecond(), run.map(RunId::toString).orElseGet(() -> "a" + line));
  }
}
