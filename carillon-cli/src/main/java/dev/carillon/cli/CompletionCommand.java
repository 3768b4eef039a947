package dev.carillon.cli;

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
final class CompletionCommand implements Runnable {
  /** The shells there is a script for. */
  enum Shell {
    bash,
    zsh
  }

  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
  private Shell shell = Shell.bash;

  @Override
  public void run() {
    CommandLine all = spec.root().commandLine();
    String script = AutoComplete.bash("carillon", all);
    // picocli's script is for bash, and turns zsh into one that understands it by itself
    all.getOut().print(shell == Shell.zsh ? "#compdef carillon\n" + script : script);
    all.getOut().flush();
  }
}
