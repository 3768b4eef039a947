package dev.carillon.server.watch;

import dev.carillon.Carillon;
import dev.carillon.model.AuditEntry;
import dev.carillon.model.Run;
import dev.carillon.server.log.RateLimitedLog;
import dev.carillon.server.store.Change;
import dev.carillon.server.store.ChangePosition;
import dev.carillon.server.store.ChangeStore;
import dev.carillon.server.store.ChangeStore.Marks;
import dev.carillon.server.store.ChangeStore.Snapshot;
import dev.carillon.server.store.ConsoleSessionStore;
import dev.carillon.server.store.TokenStore;
import dev.carillon.server.web.Caller;
import dev.carillon.server.web.CallerLimit;
import dev.carillon.server.web.DaemonThreads;
import dev.carillon.server.web.EnduringTask;
import dev.carillon.server.web.EventSink;
import dev.carillon.server.web.SignInCheck;
import dev.carillon.store.jdbc.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What changes in the cluster, read from the database once for all clients of this server, and only
 * while there are some. One thread does it all.
 */
public final class EventStream implements AutoCloseable {
  static final int MAX_LISTENERS = 200;
  static final int MAX_OF_ONE = 20;
  private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);
  private static final Duration LOOK_INTERVAL = Duration.ofMillis(500);
  private static final Duration OVERLAP = Duration.ofSeconds(10);

  /* How long nothing is read while nothing is written. Sign-ins also end without a write. */
  private static final Duration LONGEST_REST = Duration.ofSeconds(5);
  private static final int PAGE = 500;

  private final RateLimitedLog unread = new RateLimitedLog();
  private final Carillon carillon;
  private final ChangeStore store;
  private final SignInCheck signIns;
  private final CallerLimit limit = new CallerLimit(MAX_LISTENERS, MAX_OF_ONE);
  private final ScheduledExecutorService turns =
      Executors.newSingleThreadScheduledExecutor(DaemonThreads.called("carillon-events"));

  /* Used by the one thread alone. */
  private final List<EventSubscriber> listeners = new ArrayList<>();
  private final Map<String, Instant> begun = new HashMap<>();
  private final ChangeWatermark watermark = new ChangeWatermark();
  private @Nullable ChangePosition place;
  private @Nullable Snapshot looked;
  private Instant lookedAt = Instant.MIN;

  /** Publish what changes in the cluster that {@code carillon} is a node of. */
  public EventStream(Carillon carillon, Database database) {
    this.carillon = carillon;
    this.store = new ChangeStore(database);
    this.signIns =
        new SignInCheck(
            new TokenStore(database), new ConsoleSessionStore(database), carillon.clock());
  }

  /** Begin to look, whenever there is a client. */
  public EventStream start() {
    var unused =
        turns.scheduleWithFixedDelay(
            new EnduringTask("the stream of events", this::turn),
            LOOK_INTERVAL.toMillis(),
            LOOK_INTERVAL.toMillis(),
            TimeUnit.MILLISECONDS);
    return this;
  }

  /** Return whether no further client can listen. */
  boolean full() {
    return limit.none();
  }

  /** Return whether {@code caller} cannot listen once more. */
  boolean fullFor(String caller) {
    return limit.noneFor(caller);
  }

  /** Send {@code sink}, which is the caller's, what is wanted from now on. */
  void join(Caller caller, EventSink sink, EventSubscriber.Wanted wanted) {
    if (!limit.take(caller.identity())) {
      sink.end();
      return;
    }
    try {
      turns.execute(() -> admit(new EventSubscriber(caller, sink, wanted)));
    } catch (RejectedExecutionException stopping) {
      sink.end();
    }
  }

  private void admit(EventSubscriber subscriber) {
    listeners.add(subscriber);
    try {
      subscriber.begin(place());
    } catch (RuntimeException e) {
      LOG.warn("a client could not be sent events: {}", e.getMessage());
      subscriber.end();
    }
  }

  private ChangePosition place() {
    ChangePosition known = place;
    if (known == null) {
      known = watermark.seen(store.snapshot(), carillon.clock().instant());
      place = known;
    }
    return known;
  }

  /* By the one thread alone. */
  void turn() {
    try {
      if (!listeners.isEmpty()) {
        look(store.snapshot(), carillon.clock().instant());
      }
    } catch (RuntimeException e) {
      looked = null;
      unread
          .happened()
          .ifPresent(
              times -> LOG.warn("events could not be read, {} times: {}", times, e.getMessage()));
      watermark.lost(carillon.clock().instant());
    }
    listeners.forEach(EventSubscriber::keepAlive);
    listeners.stream()
        .filter(EventSubscriber::gone)
        .forEach(gone -> limit.leave(gone.caller().identity()));
    listeners.removeIf(EventSubscriber::gone);
    if (listeners.isEmpty()) {
      place = null;
      looked = null;
      watermark.forget();
      begun.clear();
    }
  }

  private void endSignedOut() {
    Set<Caller> ended =
        signIns.ended(listeners.stream().map(EventSubscriber::caller).collect(Collectors.toSet()));
    listeners.stream()
        .filter(subscriber -> ended.contains(subscriber.caller()))
        .forEach(EventSubscriber::end);
  }

  private void look(Snapshot snapshot, Instant now) {
    ChangePosition until = watermark.seen(snapshot, now);
    if (nothingIsNew(snapshot, now)) {
      place = until;
      return;
    }
    endSignedOut();
    started(now);
    boolean more = true;
    while (more) {
      List<Change> changes = store.between(place(), until, PAGE);
      Map<String, Marks> marks = marks(changes);
      for (Change change : changes) {
        live().forEach(subscriber -> subscriber.show(change, marks));
      }
      more = changes.size() == PAGE;
      place = more ? changes.get(PAGE - 1).place() : until;
    }
    for (EventSubscriber subscriber : listeners) {
      subscriber.behind().ifPresent(from -> catchUp(subscriber, from, until));
    }
    looked = snapshot;
    lookedAt = now;
  }

  /* Since the last look, after which no transaction was under way, none has begun to write. */
  private boolean nothingIsNew(Snapshot snapshot, Instant now) {
    return snapshot.equals(looked)
        && snapshot.oldest() == snapshot.next()
        && now.isBefore(lookedAt.plus(LONGEST_REST))
        && live().size() == listeners.size();
  }

  /* A page a turn, so that a late client does not keep the others waiting. */
  private void catchUp(EventSubscriber subscriber, ChangePosition from, ChangePosition until) {
    List<Change> missed = store.between(from, until, PAGE);
    subscriber.catchUp(missed, marks(missed), missed.size() < PAGE);
  }

  private Map<String, Marks> marks(List<Change> changes) {
    return marks(
        changes.stream()
            .flatMap(
                change ->
                    change
                        .run()
                        .flatMap(Run::schedule)
                        .or(() -> change.audit().flatMap(AuditEntry::schedule))
                        .stream()));
  }

  /* Only callers with a scope need to know. */
  private Map<String, Marks> marks(Stream<String> keys) {
    return listeners.stream().allMatch(one -> one.caller().scope().isAll())
        ? Map.of()
        : store.marks(keys.collect(Collectors.toSet()));
  }

  private List<EventSubscriber> live() {
    return listeners.stream().filter(subscriber -> subscriber.behind().isEmpty()).toList();
  }

  /* What is claimed is seen a moment later, so each look goes back a little over the one before. */
  private void started(Instant now) {
    Instant since = now.minus(OVERLAP);
    begun.values().removeIf(at -> at.isBefore(since));
    List<Run> fresh =
        store.started(since, now, PAGE).stream()
            .filter(
                run ->
                    begun.put(run.id() + "#" + run.attempt(), run.startedAt().orElse(now)) == null)
            .toList();
    Map<String, Marks> marks = marks(fresh.stream().flatMap(run -> run.schedule().stream()));
    for (Run run : fresh) {
      live().forEach(subscriber -> subscriber.showStarted(run, marks));
    }
  }

  /** End all streams, and look no more. */
  @Override
  public void close() {
    try {
      turns.execute(() -> listeners.forEach(EventSubscriber::end));
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
