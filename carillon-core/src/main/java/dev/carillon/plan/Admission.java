package dev.carillon.plan;

import dev.carillon.model.EndReason;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What due runs may do, given the runs before them that are unfinished.
 *
 * @param judged the due runs, as they were given
 * @param replaced what makes way, at most once per lane
 */
public record Admission(List<Admitted> judged, List<Replaced> replaced) {
  /** What a due run does now. */
  public enum Answer {
    /** It starts. */
    START,
    /** It waits for the unfinished run of its lane to end. */
    WAIT,
    /** It ends as skipped. */
    SKIP,
    /** It stays as it is, to be judged another time. */
    LEAVE
  }

  /**
   * A due run and what it does now.
   *
   * @param run the run
   * @param answer what it does
   * @param reason why, if it is skipped
   */
  public record Admitted(Run run, Answer answer, Optional<EndReason> reason) {}

  /**
   * Runs that make way. Those that wait in the lane are skipped, but for the ones that wait as long
   * as it takes.
   *
   * @param holder the unfinished run to stop; empty if it makes way for none
   * @param by the run that waits for it to end
   */
  public record Replaced(Optional<RunId> holder, RunId by) {}

  public Admission {
    judged = List.copyOf(judged);
    replaced = List.copyOf(replaced);
  }

  /**
   * Judge due runs.
   *
   * @param due the runs, oldest first; an unfinished run among them is one to be tried again
   * @param lanes the lanes this node holds, by number; the count of waiting runs leaves out those
   *     in {@code due}
   * @param behind runs with an older unstarted run in their lane that is not in {@code due}
   */
  public static Admission judge(List<Run> due, Map<Long, Lane> lanes, Set<RunId> behind) {
    return new AdmissionBatch(due, lanes, behind).admission();
  }
}
