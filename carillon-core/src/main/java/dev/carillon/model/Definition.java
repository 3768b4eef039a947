package dev.carillon.model;

import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Pacing;
import dev.carillon.policy.RunPolicy;
import dev.carillon.time.Jitter;
import dev.carillon.time.Timing;
import dev.carillon.time.Window;
import java.util.List;

/**
 * What one version of a schedule says: what runs, when, and under which policies.
 *
 * @param target the label of what runs
 * @param payload what each run is given
 * @param timing when
 * @param pacing for an interval, from where it is measured
 * @param window when it is in force
 * @param jitter how far runs are moved from their slots
 * @param overlap what happens to a run that is due while another is unfinished
 * @param catchUp what happens to slots that nothing could run
 * @param policy what each run takes with it
 * @param maxRuns after how many slots the schedule is complete; zero for no end
 * @param description what it is for, in words; may be empty
 * @param tags words to find it by
 */
public record Definition(
    String target,
    Payload payload,
    Timing timing,
    Pacing pacing,
    Window window,
    Jitter jitter,
    Overlap overlap,
    CatchUp catchUp,
    RunPolicy policy,
    long maxRuns,
    String description,
    List<String> tags) {

  public Definition {
    tags = List.copyOf(tags);
  }
}
