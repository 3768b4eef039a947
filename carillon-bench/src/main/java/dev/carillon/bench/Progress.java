package dev.carillon.bench;

import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Shows how far a bench is: one line that changes on a terminal, elsewhere a line when a step
 * begins, now and then, and when it ends.
 */
public final class Progress {
  private static final long TERMINAL_INTERVAL = Duration.ofMillis(100).toNanos();
  private static final long LOG_INTERVAL = Duration.ofSeconds(10).toNanos();

  private final PrintWriter out;
  private final boolean terminal;
  private final String eraseLine;
  private final LongSupplier nanos;
  private final Set<String> noted = new HashSet<>();
  private String step = "";
  private long shownAt;
  private boolean silent;

  /**
   * Show progress on {@code out}.
   *
   * @param terminal whether that is one
   * @param eraseLine what takes the line away on which its cursor is
   */
  public Progress(PrintWriter out, boolean terminal, String eraseLine) {
    this(out, terminal, eraseLine, System::nanoTime);
  }

  /** Return a progress that is not shown. */
  public static Progress hidden() {
    return new Progress(new PrintWriter(Writer.nullWriter()), false, "");
  }

  Progress(PrintWriter out, boolean terminal, String eraseLine, LongSupplier nanos) {
    this.out = out;
    this.terminal = terminal;
    this.eraseLine = eraseLine;
    this.nanos = nanos;
  }

  /** Begin a step. */
  public synchronized void step(String part, String what) {
    step = String.format(Locale.ROOT, "%-7s %s", part, what);
    show(step);
  }

  /** Say how far the step is, and what is seen so far. */
  public synchronized void at(double share, String seen) {
    if (nanos.getAsLong() - shownAt >= (terminal ? TERMINAL_INTERVAL : LOG_INTERVAL)) {
      show(String.format(Locale.ROOT, "%-40s %3d %%  %s", step, percent(share), seen));
    }
  }

  /** Say how far something is, but elsewhere than on a terminal only if it takes long. */
  public synchronized void quietly(double share, String what) {
    if (shownAt == 0 && !terminal) {
      shownAt = nanos.getAsLong();
    }
    if (nanos.getAsLong() - shownAt >= (terminal ? TERMINAL_INTERVAL : LOG_INTERVAL)) {
      show(String.format(Locale.ROOT, "%3d %%  %s", percent(share), what));
    }
  }

  /** End the step with what was found. */
  public synchronized void end(String found) {
    show(String.format(Locale.ROOT, "%-40s %s", step, found));
  }

  /** Say something once that is to stay on the screen. */
  public synchronized void note(String line) {
    if (noted.add(line)) {
      clear();
      printLine("carillon: " + line);
    }
  }

  /** Take the changing line away, so that something else can be printed. */
  public synchronized void clear() {
    if (terminal) {
      print(eraseLine);
    }
  }

  /** Say nothing from now on: the bench is being stopped. */
  public synchronized void silence() {
    clear();
    silent = true;
  }

  private static int percent(double share) {
    return (int) Math.floor(100 * Math.max(0, Math.min(1, share)));
  }

  private void show(String line) {
    shownAt = nanos.getAsLong();
    if (terminal) {
      print(eraseLine + line);
    } else {
      printLine(line);
    }
  }

  private void printLine(String line) {
    print(line + System.lineSeparator());
  }

  private void print(String text) {
    if (!silent) {
      out.print(text);
      out.flush();
    }
  }
}
