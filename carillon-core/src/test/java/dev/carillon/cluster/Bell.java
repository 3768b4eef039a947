package dev.carillon.cluster;

import dev.carillon.target.Handler;
import dev.carillon.target.RunContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A handler that does nothing but note in the log of its node that it ran. */
final class Bell implements Handler {
  static final String LABEL = "bell";
  private static final String RANG = "rang ";

  /** An attempt of a run, by the key that all attempts of the run have. */
  record Ring(String key, int attempt) {}

  @Override
  public void run(RunContext context) {
    System.err.println(RANG + context.idempotencyKey() + " " + context.attempt());
  }

  /** Return what the node with this {@code log} noted. */
  static List<Ring> rings(Path log) throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      return lines
          .filter(line -> line.startsWith(RANG))
          .map(line -> line.split(" ", -1))
          .map(words -> new Ring(words[1], Integer.parseInt(words[2])))
          .toList();
    }
  }
}
