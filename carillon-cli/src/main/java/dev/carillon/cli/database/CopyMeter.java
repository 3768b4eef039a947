package dev.carillon.cli.database;

import dev.carillon.bench.Figures;
import dev.carillon.bench.Progress;
import dev.carillon.cli.console.AgeText;
import dev.carillon.cli.console.Environment;
import dev.carillon.cli.console.TerminalWriter;
import dev.carillon.store.backup.CopyProgress;
import java.io.PrintWriter;
import java.time.Duration;

/** Shows how far a copy is, and says in the end how long it took. */
final class CopyMeter implements CopyProgress {
  private final Progress progress;
  private final String verb;
  private final long begun = System.nanoTime();

  CopyMeter(PrintWriter err, Environment environment, String verb) {
    this.progress = new Progress(err, environment.terminal().isErr(), TerminalWriter.ERASE_LINE);
    this.verb = verb;
  }

  @Override
  public void copied(String table, long rows, long expected) {
    progress.quietly(
        expected == 0 ? 0 : (double) rows / expected,
        "%s %s: %s rows".formatted(verb, table, Figures.whole(rows)));
  }

  /** Take the line away, and return how long it took. */
  String end() {
    progress.clear();
    return AgeText.length(Duration.ofNanos(System.nanoTime() - begun));
  }
}
