package dev.carillon.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;

/**
 * The database's clock, by which slots are meant, seen from this machine, whose own may differ.
 *
 * @param before a reading before what is to be timed
 * @param after a reading after it; between the two, the clock is taken to run evenly
 */
public record ServerClock(Reading before, Reading after) {
  private static final int SAMPLES = 100;
  private static final Duration SLACK = Duration.ofMillis(1);

  /**
   * What the clock showed.
   *
   * @param nanos when, by {@link System#nanoTime}
   * @param time what it showed then
   * @param uncertainty how far off that may be: half of the round trip
   */
  public record Reading(long nanos, Instant time, Duration uncertainty) {
    Instant now() {
      return time.plusNanos(System.nanoTime() - nanos);
    }
  }

  /** Read the clock, and keep the reading that took the least time. */
  public static Reading read(Sql sql) {
    String question = "select clock_timestamp()";
    try (Connection connection = sql.source().connect();
        PreparedStatement statement = connection.prepareStatement(question)) {
      Reading best = read(statement);
      for (int i = 1; i < SAMPLES; i++) {
        Reading next = read(statement);
        best = next.uncertainty().compareTo(best.uncertainty()) < 0 ? next : best;
      }
      return best;
    } catch (SQLException e) {
      throw Sql.failed(question, e);
    }
  }

  private static Reading read(PreparedStatement statement) throws SQLException {
    long asked = System.nanoTime();
    try (ResultSet rows = statement.executeQuery()) {
      long answered = System.nanoTime();
      rows.next();
      long half = (answered - asked) / 2;
      Instant time = rows.getObject(1, OffsetDateTime.class).toInstant();
      return new Reading(asked + half, time, Duration.ofNanos(half));
    }
  }

  Instant at(long nanos) {
    long passed = after.nanos() - before.nanos();
    if (passed <= 0) {
      return before.time().plusNanos(nanos - before.nanos());
    }
    double pace = (double) Duration.between(before.time(), after.time()).toNanos() / passed;
    return before.time().plusNanos(Math.round((nanos - before.nanos()) * pace));
  }

  /** Return how far off that may be; a start that is early by no more is not known to be early. */
  Duration uncertainty() {
    Duration worse =
        before.uncertainty().compareTo(after.uncertainty()) > 0
            ? before.uncertainty()
            : after.uncertainty();
    return worse.plus(SLACK);
  }
}
