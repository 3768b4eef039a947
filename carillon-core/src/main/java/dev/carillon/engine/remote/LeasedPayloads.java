package dev.carillon.engine.remote;

import dev.carillon.engine.PayloadTemplates;
import dev.carillon.model.Run;
import dev.carillon.target.Completion;
import dev.carillon.target.LeasedRun;
import dev.carillon.target.Outcome;
import dev.carillon.template.TemplateException;
import java.util.ArrayList;
import java.util.List;

/** Runs that were leased to a worker, with their payloads as the worker sees them. */
final class LeasedPayloads {
  private final PayloadTemplates templates;
  private final List<LeasedRun> runs = new ArrayList<>();
  private final List<LeasedRun> workable = new ArrayList<>();
  private final List<Completion> failed = new ArrayList<>();

  LeasedPayloads(PayloadTemplates templates) {
    this.templates = templates;
  }

  /** Add a run; return it as the worker sees it. */
  Run add(LeasedRun one) {
    runs.add(one);
    try {
      Run run = filledIn(one.run());
      workable.add(new LeasedRun(run, one.lease(), one.until()));
      return run;
    } catch (TemplateException e) {
      failed.add(new Completion(one.lease(), Outcome.failedPermanently(e.failure())));
      return one.run().withoutPayload();
    }
  }

  private Run filledIn(Run run) {
    return run.policy().template().isEmpty() ? run : run.withPayload(templates.expand(run));
  }

  /** Return all runs that were leased, as they are stored. */
  List<LeasedRun> runs() {
    return runs;
  }

  /** Return the runs that the worker can work on. */
  List<LeasedRun> workable() {
    return workable;
  }

  /** Return the ends of those whose payloads cannot be filled in. */
  List<Completion> failed() {
    return failed;
  }
}
