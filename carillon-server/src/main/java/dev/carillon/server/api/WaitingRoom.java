package dev.carillon.server.api;

import dev.carillon.PullWorkers;
import dev.carillon.PullWorkers.Waiting;
import dev.carillon.server.web.Daemons;
import dev.carillon.server.web.Reply;
import dev.carillon.target.Leased;
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
final class WaitingRoom {
  private static final int HANDS = 4;
  private static final int IDLE_SECONDS = 10;

  private final PullWorkers workers;
  private final Function<List<Leased>, Reply> told;
  private final ScheduledThreadPoolExecutor hands =
      new ScheduledThreadPoolExecutor(HANDS, Daemons.called("carillon-claims"));

  /* Guards itself, the lines in it and the guests in them: whoever takes a guest out of its line is
   * the one to answer it. */
  private final Map<Set<String>, Line> lines = new HashMap<>();

  WaitingRoom(PullWorkers workers, Function<List<Leased>, Reply> told) {
    this.workers = workers;
    this.told = told;
    hands.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    hands.allowCoreThreadTimeOut(true);
    hands.setRemoveOnCancelPolicy(true);
  }

  /** Those who wait for runs of the same targets. */
  private static final class Line {
    final Set<String> targets;
    final Deque<Guest> guests = new ArrayDeque<>();
    @Nullable Waiting news;
    boolean inService;

    Line(Set<String> targets) {
      this.targets = targets;
    }
  }

  /** A worker that waits. */
  private static final class Guest {
    final ClaimOrder order;
    final BooleanSupplier present;
    final CompletableFuture<Reply> reply = new CompletableFuture<>();
    boolean timeIsUp;

    Guest(ClaimOrder order, BooleanSupplier present) {
      this.order = order;
      this.present = present;
    }
  }

  /** Answer {@code order} as soon as there is something to give, or when its time is up. */
  Reply enter(ClaimOrder order, BooleanSupplier present) {
    var guest = new Guest(order, present);
    synchronized (lines) {
      Line line = lines.computeIfAbsent(order.targets(), Line::new);
      line.guests.addLast(guest);
      if (line.news == null) {
        line.news = workers.onDue(line.targets, () -> call(line));
      }
    }
    var alarm =
        hands.schedule(() -> dismiss(guest), order.patience().toMillis(), TimeUnit.MILLISECONDS);
    var reply = guest.reply.whenComplete((known, failure) -> alarm.cancel(false));
    return Reply.later(reply, () -> dismiss(guest));
  }

  /* Comes from a thread of the scheduler, again and again while something is due. */
  private void call(Line line) {
    synchronized (lines) {
      if (line.inService || line.guests.isEmpty()) {
        return;
      }
      line.inService = true;
    }
    hands.execute(() -> serve(line));
  }

  private void serve(Line line) {
    boolean more = true;
    while (more) {
      more = next(line).map(guest -> serve(line, guest)).orElse(false);
    }
    synchronized (lines) {
      line.inService = false;
      closeIfEmpty(line);
    }
  }

  private Optional<Guest> next(Line line) {
    synchronized (lines) {
      return Optional.ofNullable(line.guests.pollFirst());
    }
  }

  /* Tells whether there may be something for the next one. */
  private boolean serve(Line line, Guest guest) {
    try {
      if (!guest.present.getAsBoolean()) {
        guest.reply.complete(told.apply(List.of()));
        return true;
      }
      ClaimOrder order = guest.order;
      List<Leased> runs =
          workers.claim(order.worker(), order.targets(), order.max(), order.lease());
      if (runs.isEmpty()) {
        waitOn(line, guest);
        return false;
      }
      guest.reply.complete(told.apply(runs));
      return true;
    } catch (RuntimeException e) {
      guest.reply.completeExceptionally(e);
      return true;
    }
  }

  private void waitOn(Line line, Guest guest) {
    boolean late;
    synchronized (lines) {
      late = guest.timeIsUp;
      if (!late) {
        line.guests.addFirst(guest);
      }
    }
    if (late) {
      guest.reply.complete(told.apply(List.of()));
    }
  }

  private void dismiss(Guest guest) {
    boolean mine;
    synchronized (lines) {
      guest.timeIsUp = true;
      Line line = lines.get(guest.order.targets());
      mine = line != null && line.guests.remove(guest);
      if (line != null) {
        closeIfEmpty(line);
      }
    }
    if (mine) {
      guest.reply.complete(told.apply(List.of()));
    }
  }

  /* While somebody is being served, they may come back into the line. */
  private void closeIfEmpty(Line line) {
    if (line.guests.isEmpty() && !line.inService) {
      lines.remove(line.targets, line);
      if (line.news != null) {
        line.news.close();
        line.news = null;
      }
    }
  }
}
