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
   * Go on if nobody can be asked, or if the answer is yes.
   *
   * @param asked such as {@code Retire 3 schedules}
   * @throws CommandFailure if the answer is anything else
   */
  public void confirm(String asked) {
    if (environment.terminal().canAsk()) {
      ask(asked);
    }
  }

  /**
   * Go on if somebody can be asked, and the answer is yes.
   *
   * @param asked such as {@code Retire 3 schedules}
   * @throws CommandFailure if the answer is anything else, or nobody can be asked
   */
  public void insist(String asked) {
    if (!environment.terminal().canAsk()) {
      throw new CommandFailure(
          Exit.USAGE,
          "nobody can be asked here, and nothing was changed; say --yes if it is meant");
    }
    ask(asked);
  }

  private void ask(String asked) {
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
