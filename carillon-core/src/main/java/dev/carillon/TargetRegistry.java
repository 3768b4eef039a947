package dev.carillon;

import dev.carillon.engine.NodeTargets;
import dev.carillon.target.Target;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The targets of this node, which may come, change and go while it runs.
 *
 * <p>What has started goes on with the target it was started with. Other nodes have a registry of
 * their own.
 */
public final class TargetRegistry {
  private final NodeTargets here;
  private final Set<String> elsewhere = ConcurrentHashMap.newKeySet();
  private final Runnable wake;

  TargetRegistry(NodeTargets here, Set<String> elsewhere, Runnable wake) {
    this.here = here;
    this.elsewhere.addAll(elsewhere);
    this.wake = wake;
  }

  /**
   * Start {@code target} for runs with this label from now on, at most {@code most} at a time on
   * this node, in place of what had the label before.
   */
  public void put(String label, Target target, int most) {
    here.put(ScheduleLimits.target(label), target, ScheduleLimits.most(label, most));
    elsewhere.remove(label);
    wake.run();
  }

  /** Accept schedules and runs for this label, which from now on only others run. */
  public void putRemote(String label) {
    elsewhere.add(ScheduleLimits.target(label));
    here.remove(label);
  }

  /**
   * Forget a label; tell whether it was known. New schedules and runs of it are refused here, and
   * runs that are there wait for a node that has it.
   */
  public boolean remove(String label) {
    boolean removed = here.remove(label);
    return elsewhere.remove(label) || removed;
  }

  /** Return the labels that schedules and runs may have now, in the order of the alphabet. */
  public Set<String> labels() {
    var labels = new TreeSet<>(here.labels());
    labels.addAll(elsewhere);
    return labels;
  }

  /** Tell whether this node accepts {@code label} for others to run. */
  public boolean isRemote(String label) {
    return elsewhere.contains(label);
  }

  /** Return the labels that this node itself runs, in the order of the alphabet. */
  public Set<String> localLabels() {
    return new TreeSet<>(here.labels());
  }
}
