package dev.carillon.cli.console;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/** Asks before something is done that cannot be taken back easily. */
public final class ConfirmationPrompt {
  private static final Set<String> YES = Set.of("y", "yes");

  private final Environment environment;
  private final PrintWriter err;

  public ConfirmationPrompt(Environment environment, PrintWriter err) {
    this.environment = environment;
    this.err = err;
  }

  /**
   * Ask on a terminal whether to go on.
   *
   * @param asked such as {@code Retire 3 schedules}
   * @param needed whether to fail without a terminal, instead of going on
   * @throws CommandFailure if the answer is not yes
   */
  public void confirm(String asked, boolean needed) {
    if (!environment.terminal().canAsk()) {
      if (needed) {
        throw new CommandFailure(
            Exit.USAGE,
            "nobody can be asked here, and nothing was changed; say --yes if it is meant");
      }
      return;
    }
    err.print(asked + "? [y/N] ");
    err.flush();
    if (!YES.contains(answer().strip().toLowerCase(Locale.ROOT))) {
      throw new CommandFailure(Exit.FAILED, "stopped; nothing was changed");
    }
  }

  private String answer() {
    try {
      var reader =
          new BufferedReader(new InputStreamReader(environment.in(), StandardCharsets.UTF_8));
      String line = reader.readLine();
      return line == null ? "" : line;
    } catch (IOException e) {
      return "";
    }
  }
}
