package dev.carillon.time;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/** One row of a vector file: what an expression does next, up to three times, after an instant. */
record Vector(
    String expression,
    ZoneId zone,
    Instant from,
    List<Instant> next,
    DstGap gap,
    DstOverlap overlap,
    String why) {

  /**
   * Read the rows of {@code dialect-vectors.tsv}, which also name the options and the reason; tabs
   * in expressions are escaped.
   */
  static List<Vector> ofDialect() {
    return rows("/dialect-vectors.tsv")
        .map(
            row ->
                new Vector(
                    row[0].replace("\\t", "\t"),
                    ZoneId.of(row[1]),
                    Instant.parse(row[2]),
                    instants(row),
                    DstGap.valueOf(row[6].toUpperCase(Locale.ROOT)),
                    DstOverlap.valueOf(row[7].toUpperCase(Locale.ROOT)),
                    row[8]))
        .toList();
  }

  /** Read the rows of {@code cron-vectors.tsv}, on which other libraries were asked too. */
  static List<Vector> ofOtherLibraries() {
    return rows("/cron-vectors.tsv")
        .map(
            row ->
                new Vector(
                    row[0],
                    ZoneId.of(row[1]),
                    Instant.parse(row[2]),
                    instants(row),
                    DstGap.FIRE_AFTER,
                    DstOverlap.AUTO,
                    "agreeing: " + row[6]))
        .toList();
  }

  private static Stream<String[]> rows(String file) {
    try (InputStream in = Objects.requireNonNull(Vector.class.getResourceAsStream(file), file)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().skip(1).filter(line -> !line.isBlank()).map(line -> line.split("\t", -1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Instant> instants(String[] row) {
    return Stream.of(row[3], row[4], row[5])
        .filter(cell -> !cell.equals("-"))
        .map(cell -> OffsetDateTime.parse(cell).toInstant())
        .toList();
  }

  /** Return the last instant up to which {@link #next} is the whole truth. */
  Instant horizon() {
    return next.size() == 3 ? next.get(2) : Instant.parse("2200-01-02T00:00:00Z");
  }

  @Override
  public String toString() {
    return expression + " in " + zone + " after " + from + ": " + why;
  }
}
