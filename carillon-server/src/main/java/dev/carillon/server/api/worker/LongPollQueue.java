package dev.carillon.server.api.worker;

import dev.carillon.PullWorkers;
import dev.carillon.PullWorkers.Waiting;
import dev.carillon.server.web.DaemonThreads;
import dev.carillon.server.web.Reply;
import dev.carillon.target.LeasedRun;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where workers wait for runs, in a line for each set of targets: who came first is served first,
 * and nobody is given runs who has left meanwhile. No thread waits with them.
 */
final class LongPollQueue {
  private static final int HANDS = 4;
  private static final int IDLE_SECONDS = 10;

  private final PullWorkers workers;
  private final Function<List<LeasedRun>, Reply> told;
  private final ScheduledThreadPoolExecutor executor =
      new ScheduledThreadPoolExecutor(HANDS, DaemonThreads.called("carillon-claims"));

  /* Guards itself, the lines in it and the guests in them: whoever takes a guest out of its line is
   * the one to answer it. */
  private final Map<Set<String>, Line> lines = new HashMap<>();

  LongPollQueue(PullWorkers workers, Function<List<LeasedRun>, Reply> told) {
    this.workers = workers;
    this.told = told;
    executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
    executor.setRemoveOnCancelPolicy(true);
  }

  /** Those who wait for runs of the same targets. */
  private static final class Line {
    final Set<String> targets;
    final Deque<Waiter> waiters = new ArrayDeque<>();
    @Nullable Waiting news;
    boolean inService;

    Line(Set<String> targets) {
      this.targets = targets;
    }
  }

  /** A worker that waits. */
  private static final class Waiter {
    final ClaimRequest order;
    final BooleanSupplier present;
    final CompletableFuture<Reply> reply = new CompletableFuture<>();
    boolean timeIsUp;

    Waiter(ClaimRequest order, BooleanSupplier present) {
      this.order = order;
      this.present = present;
    }
  }

  /** Answer {@code order} as soon as there is something to give, or when its time is up. */
  Reply enter(ClaimRequest order, BooleanSupplier present) {
    var waiter = new Waiter(order, present);
    synchronized (lines) {
      Line line = lines.computeIfAbsent(order.targets(), Line::new);
      line.waiters.addLast(waiter);
      if (line.news == null) {
        line.news = workers.onDue(line.targets, () -> call(line));
      }
    }
    var alarm =
        executor.schedule(
            () -> dismiss(waiter), order.patience().toMillis(), TimeUnit.MILLISECONDS);
    var reply = waiter.reply.whenComplete((known, failure) -> alarm.cancel(false));
    return Reply.later(reply, () -> dismiss(waiter));
  }

  /* Comes from a thread of the scheduler, again and again while something is due. */
  private void call(Line line) {
    synchronized (lines) {
      if (line.inService || line.waiters.isEmpty()) {
        return;
      }
      line.inService = true;
    }
    executor.execute(() -> serve(line));
  }

  private void serve(Line line) {
    boolean more = true;
    while (more) {
      more = next(line).map(waiter -> serve(line, waiter)).orElse(false);
    }
    synchronized (lines) {
      line.inService = false;
      closeIfEmpty(line);
    }
  }

  private Optional<Waiter> next(Line line) {
    synchronized (lines) {
      return Optional.ofNullable(line.waiters.pollFirst());
    }
  }

  /* Tells whether there may be something for the next one. */
  private boolean serve(Line line, Waiter waiter) {
    try {
      if (!waiter.present.getAsBoolean()) {
        waiter.reply.complete(told.apply(List.of()));
        return true;
      }
      ClaimRequest order = waiter.order;
      List<LeasedRun> runs =
          workers.claim(order.worker(), order.targets(), order.max(), order.lease());
      if (runs.isEmpty()) {
        waitOn(line, waiter);
        return false;
      }
      waiter.reply.complete(told.apply(runs));
      return true;
    } catch (RuntimeException e) {
      waiter.reply.completeExceptionally(e);
      return true;
    }
  }

  private void waitOn(Line line, Waiter waiter) {
    boolean late;
    synchronized (lines) {
      late = waiter.timeIsUp;
      if (!late) {
        line.waiters.addFirst(waiter);
      }
    }
    if (late) {
      waiter.reply.complete(told.apply(List.of()));
    }
  }

  private void dismiss(Waiter waiter) {
    boolean mine;
    synchronized (lines) {
      waiter.timeIsUp = true;
      Line line = lines.get(waiter.order.targets());
      mine = line != null && line.waiters.remove(waiter);
      if (line != null) {
        closeIfEmpty(line);
      }
    }
    if (mine) {
      waiter.reply.complete(told.apply(List.of()));
    }
  }

  /* While somebody is being served, they may come back into the line. */
  private void closeIfEmpty(Line line) {
    if (line.waiters.isEmpty() && !line.inService) {
      lines.remove(line.targets, line);
      if (line.news != null) {
        line.news.close();
        line.news = null;
      }
    }
  }
}
