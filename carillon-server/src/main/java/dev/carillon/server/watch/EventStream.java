package dev.carillon.server.watch;

import dev.carillon.Carillon;
import dev.carillon.model.Run;
import dev.carillon.server.log.Rarely;
import dev.carillon.server.web.Daemons;
import dev.carillon.server.web.Outlet;
import dev.carillon.store.Change;
import dev.carillon.store.ChangePlace;
import dev.carillon.store.ChangeStore;
import dev.carillon.store.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What changes in the cluster, read from the database once for all who listen here, and only while
 * somebody does. One thread does it all.
 */
public final class EventStream implements AutoCloseable {
  static final int MOST_LISTENERS = 200;
  static final int MOST_OF_ONE = 20;
  private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);
  private static final Duration EVERY = Duration.ofMillis(500);
  private static final Duration OVERLAP = Duration.ofSeconds(10);
  private static final int PAGE = 500;

  private final Rarely unread = new Rarely();
  private final Carillon carillon;
  private final ChangeStore store;
  private final Seats seats = new Seats(MOST_LISTENERS, MOST_OF_ONE);
  private final ScheduledExecutorService turns =
      Executors.newSingleThreadScheduledExecutor(Daemons.called("carillon-events"));

  /* Used by the one thread alone. */
  private final List<Listening> listeners = new ArrayList<>();
  private final Map<String, Instant> begun = new HashMap<>();
  private final Horizon horizon = new Horizon();
  private @Nullable ChangePlace place;

  /** Tell what changes in the cluster that {@code carillon} is a node of. */
  public EventStream(Carillon carillon, Database database) {
    this.carillon = carillon;
    this.store = new ChangeStore(database);
  }

  /** Begin to look, whenever somebody listens. */
  public EventStream start() {
    var unused =
        turns.scheduleWithFixedDelay(
            this::turn, EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
    return this;
  }

  /** Tell whether nobody more can listen. */
  boolean full() {
    return seats.none();
  }

  /** Tell whether {@code caller} cannot listen once more. */
  boolean fullFor(String caller) {
    return seats.noneFor(caller);
  }

  /** Tell {@code outlet}, which is the caller's, what is wanted from now on. */
  void join(String caller, Outlet outlet, Listening.Wanted wanted) {
    if (!seats.take(caller)) {
      outlet.end();
      return;
    }
    try {
      turns.execute(() -> admit(new Listening(caller, outlet, wanted)));
    } catch (RejectedExecutionException stopping) {
      outlet.end();
    }
  }

  private void admit(Listening listening) {
    listeners.add(listening);
    try {
      listening.begin(place());
    } catch (RuntimeException e) {
      LOG.warn("somebody could not be told of events: {}", e.getMessage());
      listening.end();
    }
  }

  private ChangePlace place() {
    ChangePlace known = place;
    if (known == null) {
      known = horizon.seen(store.snapshot(), carillon.clock().instant());
      place = known;
    }
    return known;
  }

  private void turn() {
    try {
      if (!listeners.isEmpty()) {
        look();
      }
    } catch (RuntimeException e) {
      unread
          .happened()
          .ifPresent(
              times -> LOG.warn("events could not be read, {} times: {}", times, e.getMessage()));
      horizon.lost(carillon.clock().instant());
    }
    listeners.forEach(Listening::keepAlive);
    listeners.stream().filter(Listening::gone).forEach(gone -> seats.leave(gone.caller()));
    listeners.removeIf(Listening::gone);
    if (listeners.isEmpty()) {
      place = null;
      horizon.forget();
      begun.clear();
    }
  }

  private void look() {
    Instant now = carillon.clock().instant();
    ChangePlace until = horizon.seen(store.snapshot(), now);
    started(now);
    boolean more = true;
    while (more) {
      List<Change> changes = store.between(place(), until, PAGE);
      for (Change change : changes) {
        live().forEach(listening -> listening.show(change));
      }
      more = changes.size() == PAGE;
      place = more ? changes.get(PAGE - 1).place() : until;
    }
    for (Listening listening : listeners) {
      listening.behind().ifPresent(from -> catchUp(listening, from, until));
    }
  }

  /* A page a turn, so that one who comes late does not keep the others waiting. */
  private void catchUp(Listening listening, ChangePlace from, ChangePlace until) {
    List<Change> missed = store.between(from, until, PAGE);
    listening.catchUp(missed, missed.size() < PAGE);
  }

  private List<Listening> live() {
    return listeners.stream().filter(listening -> listening.behind().isEmpty()).toList();
  }

  /* What is claimed is seen a moment later, so each look goes back a little over the one before. */
  private void started(Instant now) {
    Instant since = now.minus(OVERLAP);
    begun.values().removeIf(at -> at.isBefore(since));
    for (Run run : store.started(since, now, PAGE)) {
      if (begun.put(run.id() + "#" + run.attempt(), run.startedAt().orElse(now)) == null) {
        live().forEach(listening -> listening.showStarted(run));
      }
    }
  }

  /** End all streams, and look no more. */
  @Override
  public void close() {
    try {
      turns.execute(() -> listeners.forEach(Listening::end));
    } catch (RejectedExecutionException closed) {
      return;
    }
    turns.shutdown();
    try {
      if (!turns.awaitTermination(2, TimeUnit.SECONDS)) {
        turns.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
