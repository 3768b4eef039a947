package dev.carillon.store.jdbc;

import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Trouble with the store: names the statement that failed, never the values it was given.
 *
 * <p>What PostgreSQL says about data (SQLSTATE class 22) quotes the data, and its details do so in
 * every class; neither is repeated here, and the driver's exception is kept as the cause only where
 * no statement was involved.
 */
public final class StoreException extends RuntimeException {
  /* The classes 08 (connection), 40 (rolled back), 53 (no resources) and 57 (operator, such as a
   * restart) pass with time; so do 55P03, a lock somebody else holds, and 25P03 and 25P04, by which
   * PostgreSQL ends a transaction that was silent or took too long. */
  private static final Set<String> PASSING_CLASSES = Set.of("08", "40", "53", "57");
  private static final Set<String> PASSING = Set.of("55P03", "25P03", "25P04");
  private static final String DATA_EXCEPTION_CLASS = "22";
  private static final String INSUFFICIENT_PRIVILEGE = "42501";

  private final String statement;
  private final @Nullable String sqlState;
  private final boolean passing;

  /** Report that {@code statement} cannot succeed, however often it is tried. */
  public StoreException(String statement, String message) {
    super(message);
    this.statement = statement;
    this.sqlState = null;
    this.passing = false;
  }

  private StoreException(
      String statement, SQLException failure, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.statement = statement;
    this.sqlState = failure.getSQLState();
    this.passing =
        failure instanceof SQLTransientException
            || failure instanceof SQLRecoverableException
            || passes(failure.getSQLState());
  }

  /** Report that {@code statement} cannot be done, for the reason that {@code message} says. */
  public static StoreException refused(String statement, String message) {
    return new StoreException(statement, message);
  }

  /** Report that {@code statement} failed. */
  public static StoreException of(String statement, SQLException failure) {
    return new StoreException(
        statement, failure, "%s: %s".formatted(statement, plain(failure)), null);
  }

  /** Report that no connection could be had. */
  static StoreException unreachable(SQLException failure) {
    return new StoreException("connect", failure, "connect: " + plain(first(failure)), failure);
  }

  /* A pool says only that none of its connections was free in time; what it is caused by says why. */
  private static SQLException first(SQLException failure) {
    return failure.getCause() instanceof SQLException cause ? first(cause) : failure;
  }

  /** Return the name of the statement that failed. */
  public String statement() {
    return statement;
  }

  /** Return PostgreSQL's five-character code, where it gave one. */
  public Optional<String> sqlState() {
    return Optional.ofNullable(sqlState);
  }

  /** Tell whether the same statement may succeed when tried again. */
  public boolean isTransient() {
    return passing;
  }

  /** Tell whether PostgreSQL rolled the transaction back because of another one. */
  public boolean isRolledBack() {
    return sqlState != null && sqlState.startsWith("40");
  }

  /** Tell whether the role lacks the right to do this. */
  public boolean isForbidden() {
    return INSUFFICIENT_PRIVILEGE.equals(sqlState);
  }

  private static boolean passes(@Nullable String state) {
    return state != null
        && (PASSING.contains(state)
            || (state.length() == 5 && PASSING_CLASSES.contains(state.substring(0, 2))));
  }

  private static String plain(SQLException failure) {
    String state = failure.getSQLState();
    if (state == null) {
      return firstLine(failure);
    }
    return state.startsWith(DATA_EXCEPTION_CLASS)
        ? "a value does not fit (SQLSTATE %s)".formatted(state)
        : "%s (SQLSTATE %s)".formatted(firstLine(failure), state);
  }

  /* The driver puts details, which quote rows, on the lines after the first. */
  private static String firstLine(SQLException failure) {
    String message = failure.getMessage();
    return message == null
        ? failure.getClass().getSimpleName()
        : message.lines().findFirst().orElse("");
  }
}
