package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.console.Environment;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** A command that goes on, and what it says meanwhile. */
final class Watching {
  private static final int TIMEOUT_SECONDS = 60;

  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final StringWriter err = new StringWriter();
  private final Thread thread;
  private volatile int code = -1;

  /** Start a command, whose words are parted by blanks. */
  Watching(Environment around, String command) {
    String[] words = command.split(" ", -1);
    CommandLine commands =
        Main.commandLine(around, words)
            .setOut(new PrintWriter(new Lines(), true))
            .setErr(new PrintWriter(err, true))
            .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
    thread = new Thread(() -> code = Main.execute(commands, words), "watching");
    thread.setDaemon(true);
    thread.start();
  }

  /** Hands on every line as soon as it is written. */
  private final class Lines extends StringWriter {
    @Override
    public void flush() {
      String text = toString();
      getBuffer().setLength(0);
      text.lines().forEach(lines::add);
    }
  }

  /** Return the next line. */
  String next() throws InterruptedException {
    String line = lines.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    assertThat(line).as("a line; %s", err).isNotNull();
    return String.valueOf(line);
  }

  /** Do {@code something} again and again until there is a line, so that it is known to listen. */
  String nextAfter(Runnable something) throws InterruptedException {
    @Nullable String line = null;
    for (int i = 0; line == null && i < TIMEOUT_SECONDS; i++) {
      something.run();
      line = lines.poll(1, TimeUnit.SECONDS);
    }
    assertThat(line).as("a line; %s", err).isNotNull();
    return String.valueOf(line);
  }

  /** Return the next line that is {@code wanted}. */
  String next(Predicate<String> wanted) throws InterruptedException {
    String line = next();
    while (!wanted.test(line)) {
      line = next();
    }
    return line;
  }

  /** Wait until it ends, and return its exit code. */
  int code() throws InterruptedException {
    thread.join(TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS));
    assertThat(thread.isAlive()).as("goes on; %s %s", rest(), err).isFalse();
    return code;
  }

  /** Return what was said and not taken yet. */
  List<String> rest() {
    return List.copyOf(lines);
  }

  String err() {
    return err.toString();
  }
}
