package dev.carillon.cli.schedule;

import dev.carillon.cli.bench.Progress;
import dev.carillon.cli.console.Count;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.Plain;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Session;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code carillon schedule apply}. */
@Command(
    name = "apply",
    description = {
      "Make the schedules and targets on the server as they are in files.",
      "",
      "Shows what it would create, change and retire, asks on a terminal, then does it. A mistake",
      "in any document stops it before anything is changed; applying twice changes nothing."
    },
    footer = {
      "",
      "Examples:",
      "  carillon schedule apply -f schedules/",
      "  carillon schedule apply -f nightly.yaml --dry-run --exit-code",
      "  carillon schedule apply -f schedules/ --prune reports --yes",
      "  carillon schedule get nightly --definition -o yaml | carillon schedule apply -f -",
      "",
      "Exit codes: 0 done or nothing to do, 1 stopped or failed on the way, 2 a file or definition",
      "is wrong, 6 there is something to change (with --dry-run --exit-code)."
    })
final class ApplyCommand implements Callable<Integer> {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private DefinitionFiles files;

  @Option(names = "--dry-run", description = "Only show the plan.")
  private boolean dryRun;

  @Option(
      names = "--exit-code",
      description = "With --dry-run: end with 6 if there is something to change.")
  private boolean exitCode;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  @Override
  public Integer call() {
    if (exitCode && !dryRun) {
      throw Session.wrong("--exit-code goes with --dry-run");
    }
    Plan plan = files.plan(session);
    List<Change> work = plan.work();
    boolean forPeople = session.output().format() == Output.Format.TABLE;
    if (forPeople) {
      plan.print(session.output());
      session.output().out().flush();
    }
    if (!dryRun && !work.isEmpty()) {
      if (!yes) {
        session.confirm("Apply");
      }
      apply(work);
    }
    // Programs hear once what was planned and done; people saw the plan before.
    session.print(
        plan.json().put("applied", !dryRun),
        output -> output.out().print(dryRun || work.isEmpty() ? "" : "Applied.\n"));
    return exitCode && !work.isEmpty() ? Exit.CHANGES : 0;
  }

  private void apply(List<Change> work) {
    Progress progress = session.progress();
    int done = 0;
    try {
      for (Change change : work) {
        progress.quietly((double) done / work.size(), label(change));
        session.ask(call(change));
        done++;
      }
    } finally {
      progress.clear();
      if (done < work.size()) {
        session.note(
            "%s of %s made before it failed; apply again for the others"
                .formatted(done, Count.of(work.size(), "change was", "changes were")));
      }
    }
  }

  private static String label(Change change) {
    return change.kind().word() + " " + Plain.line(change.name());
  }

  private static Call call(Change change) {
    return change
        .document()
        .map(
            document ->
                Call.put(change.resource().word() + "s", change.key()).sending(document.body()))
        .orElseGet(() -> Call.delete("schedules", change.key()));
  }
}
