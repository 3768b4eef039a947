package dev.carillon.store.jdbc;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why PostgreSQL cannot do now what is right and may succeed later, by SQLSTATE. Codes outside of
 * these are mistakes, which time does not mend.
 *
 * <p>Damaged data and files are among them: an operator has to act, but no schedule and no run is
 * to blame, and none may be given up for it.
 */
public enum OutageCause {
  UNREACHABLE("cannot be reached"),
  REFUSES_SIGN_IN("refuses to let this server sign in"),
  READ_ONLY("is read-only"),
  NO_SPACE("has no space left"),
  NO_MEMORY("has no memory left"),
  TOO_MANY_CONNECTIONS("refuses more connections"),
  SHORT_OF_RESOURCES("is short of resources"),
  STARTING_OR_STOPPING("is starting or stopping"),
  TOOK_TOO_LONG("took too long"),
  CONTENTION("is busy with other transactions"),
  BUSY("is busy: all connections to it are in use"),
  DAMAGED("cannot read or write its files");

  private static final Map<String, OutageCause> CODES =
      Map.ofEntries(
          Map.entry("25006", READ_ONLY),
          Map.entry("25P03", TOOK_TOO_LONG), // idle in a transaction
          Map.entry("25P04", TOOK_TOO_LONG), // the transaction as a whole
          Map.entry("53100", NO_SPACE),
          Map.entry("53200", NO_MEMORY),
          Map.entry("53300", TOO_MANY_CONNECTIONS),
          Map.entry("55P03", CONTENTION), // a lock was not free in time
          Map.entry("57014", TOOK_TOO_LONG), // canceled, mostly by a timeout
          Map.entry("57P05", TOOK_TOO_LONG), // the session was idle
          Map.entry("XX001", DAMAGED),
          Map.entry("XX002", DAMAGED));

  private static final Map<String, OutageCause> CLASSES =
      Map.of(
          "08", UNREACHABLE,
          "40", CONTENTION,
          "53", SHORT_OF_RESOURCES,
          "57", STARTING_OR_STOPPING,
          "58", DAMAGED);

  private final String predicate;

  OutageCause(String predicate) {
    this.predicate = predicate;
  }

  /** Return the cause that {@code sqlState} stands for; empty if it is none. */
  static Optional<OutageCause> of(@Nullable String sqlState) {
    if (sqlState == null || sqlState.length() != 5) {
      return Optional.empty();
    }
    OutageCause code = CODES.get(sqlState);
    return Optional.ofNullable(code == null ? CLASSES.get(sqlState.substring(0, 2)) : code);
  }

  /** Return why no connection could be had that failed with {@code sqlState}. */
  static OutageCause ofConnecting(@Nullable String sqlState) {
    if (sqlState == null) {
      return BUSY; // the pool itself gave up
    }
    return sqlState.startsWith("28") || sqlState.equals("3D000")
        ? REFUSES_SIGN_IN
        : of(sqlState).orElse(UNREACHABLE);
  }

  /** Return it as a sentence without its full stop: "The database is read-only". */
  public String sentence() {
    return "The database " + predicate;
  }

  /** Return what follows "the database": "is read-only". */
  public String predicate() {
    return predicate;
  }
}
