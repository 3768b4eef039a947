package dev.carillon.benchmarks;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.Random;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The moments from which every library is asked, each in the type that library wants. */
@State(Scope.Thread)
public class Moments {
  static final ZoneId ZONE = ZoneId.of("America/New_York");

  private static final int COUNT = 1024;
  private static final long FROM = Instant.parse("2026-01-01T00:00:00Z").getEpochSecond();
  private static final long UNTIL = Instant.parse("2029-01-01T00:00:00Z").getEpochSecond();

  private final Instant[] instants = new Instant[COUNT];
  private final ZonedDateTime[] zoned = new ZonedDateTime[COUNT];
  private final Date[] dates = new Date[COUNT];
  private int turn;

  public Moments() {
    var random = new Random(1);
    for (int i = 0; i < COUNT; i++) {
      instants[i] = Instant.ofEpochSecond(random.nextLong(FROM, UNTIL));
      zoned[i] = instants[i].atZone(ZONE);
      dates[i] = Date.from(instants[i]);
    }
  }

  Instant instant() {
    return instants[advance()];
  }

  ZonedDateTime zoned() {
    return zoned[advance()];
  }

  Date date() {
    return dates[advance()];
  }

  private int advance() {
    turn = (turn + 1) & (COUNT - 1);
    return turn;
  }
}
