package dev.carillon.server.api.worker;

import dev.carillon.PullWorkers;
import dev.carillon.PullWorkers.Subscription;
import dev.carillon.server.web.Caller;
import dev.carillon.server.web.DaemonThreads;
import dev.carillon.server.web.Problem;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.SignInCheck;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.target.LeasedRun;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims of workers that wait for runs, in a queue for each set of targets: the first is served
 * first, and a worker that has left meanwhile is given no runs. No thread waits with them.
 */
final class LongPollQueue {
  private static final Logger LOG = LoggerFactory.getLogger(LongPollQueue.class);
  private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);
  private static final int THREADS = 4;
  private static final int IDLE_SECONDS = 10;

  private final PullWorkers workers;
  private final SignInCheck signIns;
  private final Function<List<LeasedRun>, Reply> answer;
  private final ScheduledThreadPoolExecutor executor =
      new ScheduledThreadPoolExecutor(THREADS, DaemonThreads.called("carillon-claims"));

  /* Guards itself, the lines in it and the waiters in them: the thread that takes a waiter out of
   * its line answers it. */
  private final Map<Set<String>, Line> lines = new HashMap<>();
  private boolean checking;

  LongPollQueue(PullWorkers workers, SignInCheck signIns, Function<List<LeasedRun>, Reply> answer) {
    this.workers = workers;
    this.signIns = signIns;
    this.answer = answer;
    executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
    executor.setRemoveOnCancelPolicy(true);
  }

  /** The claims that wait for runs of the same targets. */
  private static final class Line {
    final Set<String> targets;
    final Deque<Waiter> waiters = new ArrayDeque<>();
    @Nullable Subscription news;
    boolean inService;

    Line(Set<String> targets) {
      this.targets = targets;
    }
  }

  /** A worker that waits. */
  private static final class Waiter {
    final ClaimRequest request;
    final Request client;
    final CompletableFuture<Reply> reply = new CompletableFuture<>();
    boolean timeIsUp;

    Waiter(ClaimRequest request, Request client) {
      this.request = request;
      this.client = client;
    }
  }

  /** Answer {@code request} as soon as there is something to give, or when its time is up. */
  Reply enter(ClaimRequest request, Request client) {
    var waiter = new Waiter(request, client);
    synchronized (lines) {
      Line line = lines.computeIfAbsent(request.targets(), Line::new);
      line.waiters.addLast(waiter);
      if (line.news == null) {
        line.news = workers.onDue(line.targets, () -> call(line));
      }
      checkLater();
    }
    var alarm =
        executor.schedule(
            () -> dismiss(waiter), request.maxWait().toMillis(), TimeUnit.MILLISECONDS);
    var reply = waiter.reply.whenComplete((known, failure) -> alarm.cancel(false));
    return Reply.later(reply, () -> dismiss(waiter));
  }

  /* While somebody waits. */
  private void checkLater() {
    if (!checking && !lines.isEmpty()) {
      checking = true;
      var unused =
          executor.schedule(this::endSignedOut, CHECK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /** End the claims of those whose token is revoked or has expired since they came. */
  private void endSignedOut() {
    var waiting = new ArrayList<Waiter>();
    synchronized (lines) {
      lines.values().forEach(line -> waiting.addAll(line.waiters));
    }
    try {
      Set<Caller> ended =
          signIns.ended(
              waiting.stream().map(one -> one.client.caller()).collect(Collectors.toSet()));
      waiting.forEach(
          waiter -> {
            if (ended.contains(waiter.client.caller()) && takeOut(waiter)) {
              waiter.reply.completeExceptionally(signedOut());
            }
          });
    } catch (StoreException e) {
      LOG.debug("waiting claims could not be checked: {}", e.getMessage());
    } finally {
      synchronized (lines) {
        checking = false;
        checkLater();
      }
    }
  }

  private static RuntimeException signedOut() {
    return Problem.of(
            ProblemKind.UNAUTHENTICATED,
            "The token was revoked, or has expired, while the claim waited.")
        .header("WWW-Authenticate", "Bearer realm=\"carillon\", error=\"invalid_token\"")
        .problemException();
  }

  /* Called by a thread of the scheduler, again and again while something is due. */
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
    try {
      boolean more = true;
      while (more) {
        more = next(line).map(waiter -> serve(line, waiter)).orElse(false);
      }
    } finally {
      synchronized (lines) {
        line.inService = false;
        closeIfEmpty(line);
      }
    }
  }

  private Optional<Waiter> next(Line line) {
    synchronized (lines) {
      return Optional.ofNullable(line.waiters.pollFirst());
    }
  }

  /* Returns whether there may be something for the next waiter. */
  private boolean serve(Line line, Waiter waiter) {
    try {
      if (!waiter.client.isPresent()) {
        waiter.reply.complete(answer.apply(List.of()));
        return true;
      }
      return waiter.client.makingLater(() -> give(line, waiter));
    } catch (Throwable e) { // also without memory: a waiter that is not answered waits for ever
      waiter.reply.completeExceptionally(e);
      return true;
    }
  }

  /* The reply is written before this returns, or is counted until it is. */
  private boolean give(Line line, Waiter waiter) {
    ClaimRequest request = waiter.request;
    List<LeasedRun> runs =
        workers.claim(request.worker(), request.targets(), request.max(), request.lease());
    if (runs.isEmpty()) {
      waitOn(line, waiter);
      return false;
    }
    waiter.reply.complete(answer.apply(runs));
    return true;
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
      waiter.reply.complete(answer.apply(List.of()));
    }
  }

  private void dismiss(Waiter waiter) {
    if (takeOut(waiter)) {
      waiter.reply.complete(answer.apply(List.of()));
    }
  }

  /* Returns whether it is out of its line now, and not being served. */
  private boolean takeOut(Waiter waiter) {
    synchronized (lines) {
      waiter.timeIsUp = true;
      Line line = lines.get(waiter.request.targets());
      boolean mine = line != null && line.waiters.remove(waiter);
      if (line != null) {
        closeIfEmpty(line);
      }
      return mine;
    }
  }

  /* A waiter that is being served may come back into the line. */
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
