package dev.carillon.server.watch;

import dev.carillon.model.AuditEntry;
import dev.carillon.model.Run;
import dev.carillon.server.store.Change;
import dev.carillon.server.store.ChangePosition;
import dev.carillon.server.store.ChangeStore.Marks;
import dev.carillon.server.web.Caller;
import dev.carillon.server.web.EventSink;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A client of the stream of events. Used by the stream's thread alone. */
final class EventSubscriber {
  private static final Duration QUIET = Duration.ofSeconds(10);

  /* A client must sign in again from time to time: its role, or its certificate, may be another. */
  private static final Duration LIFE = Duration.ofMinutes(15);

  private final Caller caller;
  private final EventSink sink;
  private final Wanted wanted;
  private final long begun = System.nanoTime();
  private Optional<ChangePosition> behind;
  private long sentAt = begun;
  private boolean gone;

  /**
   * Which events are wanted.
   *
   * @param schedule of the schedule with this key only
   * @param target of this target only, which leaves out changes of schedules
   * @param after those after this place; without it, those from now on
   */
  record Wanted(
      Optional<String> schedule, Optional<String> target, Optional<ChangePosition> after) {
    boolean wants(Run run) {
      return schedule.map(key -> run.schedule().filter(key::equals).isPresent()).orElse(true)
          && target.map(run.target()::equals).orElse(true);
    }

    boolean wants(Change change) {
      return change.run().map(this::wants).orElse(false)
          || (target.isEmpty()
              && change
                  .audit()
                  .filter(entry -> schedule.isEmpty() || entry.schedule().equals(schedule))
                  .isPresent());
    }
  }

  EventSubscriber(Caller caller, EventSink sink, Wanted wanted) {
    this.caller = caller;
    this.sink = sink;
    this.wanted = wanted;
    this.behind = wanted.after();
  }

  Caller caller() {
    return caller;
  }

  /** Begin where the stream stands, or behind it. */
  void begin(ChangePosition stream) {
    behind = behind.filter(place -> place.transaction() < stream.transaction());
    send(behind.isPresent() ? EventText.HEARTBEAT : EventText.place(stream));
  }

  /** Return the place up to which everything was sent; empty if that is where the stream is. */
  Optional<ChangePosition> behind() {
    return behind;
  }

  /** Send what came after, the next of it or all up to where the stream is. */
  void catchUp(List<Change> changes, Map<String, Marks> marks, boolean all) {
    changes.forEach(change -> show(change, marks));
    behind = all ? Optional.empty() : Optional.of(changes.get(changes.size() - 1).place());
  }

  void show(Change change, Map<String, Marks> marks) {
    if (wanted.wants(change) && reaches(change, marks)) {
      send(EventText.of(change));
    }
  }

  void showStarted(Run run, Map<String, Marks> marks) {
    if (wanted.wants(run) && reaches(run, marks)) {
      send(EventText.started(run));
    }
  }

  private boolean reaches(Change change, Map<String, Marks> marks) {
    return caller.scope().isAll()
        || change.run().filter(run -> reaches(run, marks)).isPresent()
        || change
            .audit()
            .flatMap(AuditEntry::schedule)
            .filter(
                key ->
                    Optional.ofNullable(marks.get(key))
                        .filter(known -> caller.scope().admits(key, known.target(), known.tags()))
                        .isPresent())
            .isPresent();
  }

  private boolean reaches(Run run, Map<String, Marks> marks) {
    return caller.scope().isAll()
        || caller
            .scope()
            .admits(run, run.schedule().map(marks::get).map(Marks::tags).orElse(List.of()));
  }

  /** Send a heartbeat if nothing was sent for a while, and end a stream that is too old. */
  void keepAlive() {
    long now = System.nanoTime();
    if (now - begun > LIFE.toNanos()) {
      end();
    } else if (now - sentAt > QUIET.toNanos()) {
      send(EventText.HEARTBEAT);
    }
  }

  boolean gone() {
    return gone;
  }

  void end() {
    gone = true;
    sink.end();
  }

  private void send(String text) {
    sentAt = System.nanoTime();
    gone = gone || !sink.send(text);
  }
}
