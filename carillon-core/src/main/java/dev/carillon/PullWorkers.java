package dev.carillon;

import dev.carillon.engine.Engine;
import dev.carillon.model.RunId;
import dev.carillon.model.WorkerInfo;
import dev.carillon.target.Completion;
import dev.carillon.target.CompletionResult;
import dev.carillon.target.Lease;
import dev.carillon.target.LeasedRun;
import dev.carillon.target.Renewal;
import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Runs for processes that are no nodes: a worker fetches what is due, says now and then that it is
 * still at it, and says how it ended. A worker that falls silent loses its runs to their recovery.
 *
 * <p>Any node will do for each call, and so will another node for the next.
 */
public final class PullWorkers {
  /** The most runs one claim may fetch. */
  public static final int MAX_CLAIM = 1_000;

  /** The shortest lease. */
  public static final Duration MIN_LEASE = Duration.ofSeconds(1);

  /** The longest lease. */
  public static final Duration MAX_LEASE = Duration.ofHours(12);

  private final Engine engine;
  private final KnownTargets targets;

  PullWorkers(Engine engine, KnownTargets targets) {
    this.engine = engine;
    this.targets = targets;
  }

  /**
   * Give up to {@code max} due runs of {@code labels} to the worker called {@code worker}: nothing
   * if none is due, or while this node has no part in the cluster. Overlap rules hold, and the
   * attempt counts. Each run is the worker's for {@code lease}, and longer if it renews.
   */
  public List<LeasedRun> claim(String worker, Collection<String> labels, int max, Duration lease) {
    if (max < 1 || max > MAX_CLAIM) {
      throw new InvalidValueException(
          "a worker fetches from 1 to %s runs at a time; was %s".formatted(MAX_CLAIM, max));
    }
    List<String> known = labels.stream().distinct().map(targets::known).toList();
    return engine.leases().claim(ScheduleLimits.worker(worker), known, max, checked(lease));
  }

  /**
   * Let {@code leases} of a worker last for {@code lease} from now. Tells of each whether to go on;
   * one that is to stop is not renewed.
   */
  public Map<RunId, Renewal> heartbeat(String worker, List<Lease> leases, Duration lease) {
    return engine.leases().renew(ScheduleLimits.worker(worker), leases, checked(lease));
  }

  /**
   * Say how runs ended, all in one commit; each is judged by its own lease, and answered in the
   * same order. Saying it twice is harmless.
   */
  public List<CompletionResult> complete(List<Completion> completions) {
    return engine.workerCompletions().complete(completions);
  }

  /**
   * Call {@code wake} whenever runs of {@code labels} are due and not taken, on a thread of the
   * scheduler: be quick. However many wait, the database is asked once. Ends when what is returned
   * is closed.
   */
  public Subscription onDue(Collection<String> labels, Runnable wake) {
    Runnable end = engine.pulling().await(labels, wake);
    return end::run;
  }

  /** Somebody who waits for due runs. */
  @FunctionalInterface
  public interface Subscription extends AutoCloseable {
    /** Wait no longer. */
    @Override
    void close();
  }

  /** Return the workers that are there, those that came first first. */
  public List<WorkerInfo> list() {
    return engine.leases().workers();
  }

  private static Duration checked(Duration lease) {
    if (lease.compareTo(MIN_LEASE) < 0 || lease.compareTo(MAX_LEASE) > 0) {
      throw new InvalidValueException(
          "a lease lasts from %s to %s; was %s".formatted(MIN_LEASE, MAX_LEASE, lease));
    }
    return lease;
  }
}
