package dev.carillon.cli.schedule;

import dev.carillon.bench.Progress;
import dev.carillon.cli.console.CountText;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.TerminalText;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Confirmation;
import dev.carillon.cli.remote.RefusedException;
import dev.carillon.cli.remote.Session;
import dev.carillon.cli.schedule.Change.Kind;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code carillon schedule apply}. */
@Command(
    name = "apply",
    description = {
      "Make the schedules, targets, calendars and quiet hours on the server as they are in files.",
      "",
      "Shows what it would create, change and retire, asks on a terminal, then does it. A mistake",
      "in any document stops it before anything is changed; applying twice changes nothing. What",
      "another client changes after the plan was made is left alone."
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
      "is wrong, 5 something was changed in between and left alone, 6 there is something to change",
      "(with --dry-run --exit-code)."
    })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
final class ApplyCommand implements Callable<Integer> {
  private static final int PRECONDITION_FAILED = 412;

  @Mixin private Session session;

  @Mixin private DefinitionFiles files;

  @Option(names = "--dry-run", description = "Only show the plan.")
  private boolean dryRun;

  @Option(
      names = "--exit-code",
      description = "With --dry-run: end with 6 if there is something to change.")
  private boolean exitCode;

  @Mixin private Confirmation confirmation;

  @Override
  public Integer call() {
    if (exitCode && !dryRun) {
      throw Session.wrong("--exit-code goes with --dry-run");
    }
    ApplyPlan applyPlan = files.plan(session);
    List<Change> work = applyPlan.work();
    boolean forPeople = session.output().format() == Output.Format.TABLE;
    if (forPeople) {
      applyPlan.print(session.output());
      session.output().out().flush();
    }
    Set<Change> leftAlone = Set.of();
    if (!dryRun && !work.isEmpty()) {
      confirmation.ask(session, "Apply");
      leftAlone = apply(work);
    }
    String done =
        leftAlone.isEmpty()
            ? "Applied.\n"
            : "Applied %s of %s.\n"
                .formatted(
                    work.size() - leftAlone.size(), CountText.of(work.size(), "change", "changes"));
    // Programs get one answer with the plan and its result; people saw the plan before.
    session.print(
        applyPlan.json(leftAlone).put("applied", !dryRun && leftAlone.isEmpty()),
        output -> output.out().print(dryRun || work.isEmpty() ? "" : done));
    if (!leftAlone.isEmpty()) {
      return Exit.CONFLICT;
    }
    return exitCode && !work.isEmpty() ? Exit.CHANGES : 0;
  }

  /* Returns what was left alone. */
  private Set<Change> apply(List<Change> work) {
    Progress progress = session.progress();
    var leftAlone = new LinkedHashSet<Change>();
    int done = 0;
    try {
      for (Change change : work) {
        progress.quietly(
            (double) done / work.size(),
            change.kind().word() + " " + TerminalText.line(change.name()));
        if (!send(change)) {
          leftAlone.add(change);
          progress.clear();
          session.note(
              TerminalText.line(change.name()) + " was changed in between and is left alone");
        }
        done++;
      }
    } finally {
      progress.clear();
      if (done < work.size()) {
        session.note(
            "%s of %s made before it failed; apply again for the others"
                .formatted(
                    done - leftAlone.size(),
                    CountText.of(work.size(), "change was", "changes were")));
      }
    }
    return leftAlone;
  }

  /* Returns false if another client changed it after the plan was made. */
  private boolean send(Change change) {
    try {
      session.ask(change.preview().basis().retired() ? revival(change) : conditional(change));
      return true;
    } catch (RefusedException e) {
      if (e.status() != PRECONDITION_FAILED) {
        throw e;
      }
      // If an answer got lost, the same request was sent again and met its own effect.
      return change.document().isPresent()
          && DryRunPreview.ask(session.client(), call(change)).kind() == Kind.UNCHANGED;
    }
  }

  private static Call conditional(Change change) {
    if (change.kind() == Kind.CREATE) {
      return call(change).saying("If-None-Match", "*");
    }
    return change
        .preview()
        .basis()
        .etag()
        .map(etag -> call(change).saying("If-Match", etag))
        .orElseGet(() -> call(change));
  }

  /* The server refuses If-Match for a retired schedule, so this looks again right before. */
  private Call revival(Change change) {
    Call call = call(change);
    if (!DryRunPreview.ask(session.client(), call).basis().equals(change.preview().basis())) {
      throw new RefusedException(PRECONDITION_FAILED, "changed-meanwhile", "", List.of());
    }
    return call;
  }

  private static Call call(Change change) {
    return change
        .document()
        .map(document -> Call.put(change.resource().path(), change.key()).sending(document.body()))
        .orElseGet(() -> Call.delete("schedules", change.key()));
  }
}
