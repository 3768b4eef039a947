package dev.carillon.cli;

import dev.carillon.cli.console.TerminalWriter;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code carillon completion}. */
@Command(
    name = "completion",
    description = "Print a script that lets a shell complete commands and options.",
    footer = {
      "",
      "Examples:",
      "  source <(carillon completion bash)",
      "  carillon completion zsh > ~/.carillon-completion && source ~/.carillon-completion"
    })
final class ShellCompletionCommand implements Runnable {
  /** The shells there is a script for. */
  enum Shell {
    bash,
    zsh
  }

  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
  @SuppressWarnings("UnusedVariable") // picocli checks it
  private Shell shell = Shell.bash;

  @Override
  public void run() {
    CommandLine all = spec.root().commandLine();
    // One script for both: it lets zsh understand what bash does, if it finds itself there.
    all.getOut().print(TerminalWriter.own(AutoComplete.bash("carillon", all)));
    all.getOut().flush();
  }
}
