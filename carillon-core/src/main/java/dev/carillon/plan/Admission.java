package dev.carillon.plan;

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
 * @param replaced the unfinished runs that make way, at most one per lane
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
  public record Admitted(Run run, Answer answer, Optional<String> reason) {}

  /**
   * An unfinished run that is asked to stop. Other runs that wait in its lane are skipped.
   *
   * @param holder the run to stop
   * @param by the run that waits for it to end
   */
  public record Replaced(RunId holder, RunId by) {}

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
    return new Judging(due, lanes, behind).admission();
  }
}
