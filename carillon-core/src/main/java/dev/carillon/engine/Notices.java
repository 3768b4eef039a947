package dev.carillon.engine;

import dev.carillon.event.Event;
import dev.carillon.store.AftermathStore;
import dev.carillon.store.ScheduleStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Events of a transaction that is not durable yet, kept until it is. */
final class Notices implements AftermathStore.ScheduleEnds {
  private final ThreadLocal<List<Event>> kept = ThreadLocal.withInitial(ArrayList::new);
  private final ScheduleStore schedules;

  Notices(ScheduleStore schedules) {
    this.schedules = schedules;
  }

  @Override
  public void complete(List<Long> ids, Instant now) {
    add(schedules.complete(ids, now));
  }

  @Override
  public void brake(long id, int failures, String last, Instant now) {
    schedules.brake(id, failures, last, now).ifPresent(kept.get()::add);
  }

  @Override
  public void over(List<Event.Finished> runs) {
    add(runs);
  }

  void add(Collection<? extends Event> events) {
    kept.get().addAll(events);
  }

  void clear() {
    kept.remove();
  }

  /** Return what was kept, once. */
  List<Event> take() {
    List<Event> taken = List.copyOf(kept.get());
    kept.remove();
    return taken;
  }
}
