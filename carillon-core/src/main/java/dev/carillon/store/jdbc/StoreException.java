package dev.carillon.store.jdbc;

import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A failure of the store: names the statement that failed, never its values.
 *
 * <p>PostgreSQL's messages about data (SQLSTATE class 22) and its details quote the data, so
 * neither is repeated, and the driver's exception is the cause only where no statement was
 * involved.
 */
public final class StoreException extends RuntimeException {
  private static final String DATA_EXCEPTION_CLASS = "22";
  private static final String INSUFFICIENT_PRIVILEGE = "42501";

  /* Not supported, wrong in this transaction, no such prepared statement or cursor, no such schema,
   * syntax and privileges, not in this state. */
  private static final Set<String> REGARDLESS_OF_DATA =
      Set.of("0A", "25", "26", "34", "3F", "42", "55");

  private final String statement;
  private final @Nullable String sqlState;
  private final @Nullable OutageCause outage;

  /** Report that {@code statement} cannot succeed, however often it is tried. */
  public StoreException(String statement, String message) {
    super(message);
    this.statement = statement;
    this.sqlState = null;
    this.outage = null;
  }

  private StoreException(
      String statement,
      SQLException failure,
      String message,
      @Nullable Throwable cause,
      @Nullable OutageCause outage) {
    super(message, cause);
    this.statement = statement;
    this.sqlState = failure.getSQLState();
    this.outage = outage;
  }

  /** Report that {@code statement} failed. */
  public static StoreException of(String statement, SQLException failure) {
    return new StoreException(
        statement,
        failure,
        "%s: %s".formatted(statement, plain(failure)),
        null,
        OutageCause.of(failure.getSQLState()).orElse(passing(failure)));
  }

  private static @Nullable OutageCause passing(SQLException failure) {
    return failure instanceof SQLTransientException || failure instanceof SQLRecoverableException
        ? OutageCause.UNREACHABLE
        : null;
  }

  /** Report that there was no connection. */
  static StoreException unreachable(SQLException failure) {
    SQLException first = first(failure);
    return new StoreException(
        "connect",
        failure,
        "connect: " + plain(first),
        failure,
        OutageCause.ofConnecting(first.getSQLState()));
  }

  /* A pool only reports that no connection was free in time; its cause says why. */
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
    return outage != null;
  }

  /** Return why it may succeed later; empty if it will not. */
  public Optional<OutageCause> outage() {
    return Optional.ofNullable(outage);
  }

  boolean isReadOnly() {
    return outage == OutageCause.READ_ONLY;
  }

  /** Tell whether PostgreSQL rolled the transaction back because of another one. */
  public boolean isRolledBack() {
    return sqlState != null && sqlState.startsWith("40");
  }

  /**
   * Tell whether PostgreSQL refuses the statement whatever its values are: it, the session, the
   * schema or a privilege is wrong, and no row is to blame.
   */
  public boolean isRegardlessOfData() {
    return sqlState != null
        && sqlState.length() == 5
        && REGARDLESS_OF_DATA.contains(sqlState.substring(0, 2));
  }

  /** Tell whether the role lacks a privilege. */
  public boolean isForbidden() {
    return INSUFFICIENT_PRIVILEGE.equals(sqlState);
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
