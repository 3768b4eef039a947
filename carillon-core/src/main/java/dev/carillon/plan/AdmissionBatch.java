package dev.carillon.plan;

import dev.carillon.model.EndReason;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.plan.Admission.Admitted;
import dev.carillon.plan.Admission.Answer;
import dev.carillon.plan.Admission.Replaced;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The judging of one batch of due runs; the lanes fill as it goes. */
final class AdmissionBatch {
  private final List<Run> due;
  private final Map<Long, Lane> lanes;
  private final Set<RunId> behind;
  private final Map<RunId, Admitted> judged = new HashMap<>();
  private final Map<Long, Replaced> replaced = new LinkedHashMap<>();

  AdmissionBatch(List<Run> due, Map<Long, Lane> lanes, Set<RunId> behind) {
    this.due = due;
    this.lanes = new HashMap<>(lanes);
    this.behind = behind;
  }

  Admission admission() {
    for (Run run : due) {
      if (!judged.containsKey(run.id())) {
        judge(run);
      }
    }
    return new Admission(
        due.stream().map(run -> Objects.requireNonNull(judged.get(run.id()))).toList(),
        List.copyOf(replaced.values()));
  }

  private void judge(Run run) {
    if (!run.overlap().exclusive()) {
      answer(run, Answer.START);
      return;
    }
    Lane lane = lanes.get(run.id().schedule());
    if (lane == null) {
      answer(run, Answer.LEAVE);
    } else if (lane.holder().filter(run.id()::equals).isPresent()) {
      answer(run, Answer.START);
    } else if (behind.contains(run.id())) {
      answer(run, Answer.LEAVE);
    } else {
      admit(run, lane);
    }
  }

  private void admit(Run run, Lane lane) {
    switch (run.overlap().admit(lane.holder().isPresent(), lane.waiting())) {
      case START -> start(run, lane.waiting());
      case WAIT -> await(run, lane, lane.waiting() + (run.overlap().inTurn() ? 0 : 1));
      case SKIP -> skip(run, EndReason.overlap(lane.holder().orElseThrow(), lane.waiting()));
      case REPLACE -> replace(run, lane);
    }
  }

  private void start(Run run, int waiting) {
    long lane = run.id().schedule();
    lanes.put(lane, new Lane(lane, Optional.of(run.id()), run.overlap().inTurn(), waiting));
    answer(run, Answer.START);
  }

  private void await(Run run, Lane lane, int waiting) {
    lanes.put(lane.id(), new Lane(lane.id(), lane.holder(), lane.firm(), waiting));
    answer(run, Answer.WAIT);
  }

  /* A holder that is itself due is not running: it makes way at once, rather than being started
   * only to be stopped. */
  private void replace(Run run, Lane lane) {
    Optional<RunId> holder = lane.firm() ? Optional.empty() : lane.holder();
    boolean stopped = false;
    for (Run other : due) {
      boolean holds = holder.filter(other.id()::equals).isPresent();
      if (holds || (waits(other) && sameLane(other, run) && !other.overlap().inTurn())) {
        skip(other, EndReason.REPLACED);
      }
      stopped |= holds;
    }
    if (stopped) {
      start(run, 0);
    } else {
      replaced.put(lane.id(), new Replaced(holder, run.id()));
      await(run, lane, 1);
    }
  }

  private boolean waits(Run run) {
    Admitted known = judged.get(run.id());
    return known != null && known.answer() == Answer.WAIT;
  }

  private static boolean sameLane(Run one, Run other) {
    return one.id().schedule() == other.id().schedule();
  }

  private void skip(Run run, EndReason reason) {
    judged.put(run.id(), new Admitted(run, Answer.SKIP, Optional.of(reason)));
  }

  private void answer(Run run, Answer answer) {
    judged.put(run.id(), new Admitted(run, answer, Optional.empty()));
  }
}
