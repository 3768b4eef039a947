package dev.carillon;

import dev.carillon.event.Event;
import dev.carillon.model.Page;
import dev.carillon.model.Pause;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.model.Stamp;
import dev.carillon.store.AuditStore;
import dev.carillon.store.Database;
import dev.carillon.store.ScheduleStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Changes of many schedules, a page of them per transaction; the audit says why, once for all. */
final class Bulk {
  private final Database database;
  private final ScheduleStore store;
  private final Supplier<Stamp> stamp;
  private final News news;

  Bulk(Database database, ScheduleStore store, Supplier<Stamp> stamp, News news) {
    this.database = database;
    this.store = store;
    this.stamp = stamp;
    this.news = news;
  }

  long pause(ScheduleFilter filter, Pause pause) {
    return each(
        "pausing",
        filter,
        Optional.of(pause.reason()),
        page -> change(() -> store.pause(ids(page), pause, stamp.get())));
  }

  long resume(ScheduleFilter filter, String reason) {
    return each(
        "resuming",
        filter,
        Optional.of(reason),
        page -> change(() -> store.resume(ids(page), stamp.get())));
  }

  long retire(ScheduleFilter filter, Optional<String> reason) {
    return each(
        "retiring", filter, reason, page -> change(() -> store.retire(ids(page), stamp.get())));
  }

  long run(ScheduleFilter filter, String reason, Predicate<String> runs) {
    return each(
        "running",
        filter,
        Optional.of(reason),
        page -> page.stream().map(Schedule::key).filter(runs).count());
  }

  private long change(Supplier<List<Event.Changed>> change) {
    List<Event.Changed> changes = database.inTransaction(change);
    news.tell(changes);
    return changes.size();
  }

  private static List<Long> ids(List<Schedule> page) {
    return page.stream().map(Schedule::id).toList();
  }

  private long each(
      String doing,
      ScheduleFilter filter,
      Optional<String> reason,
      Function<List<Schedule>, Long> change) {
    if (!filter.narrows()) {
      throw new IllegalArgumentException(
          doing + " all schedules needs a filter; name a payload, target, tag, text or status");
    }
    reason.ifPresent(why -> new Pause(why, Optional.empty())); // refuses what no pause can have
    long changed = 0;
    Optional<String> after = Optional.empty();
    do {
      Page<Schedule> page = store.page(filter, after, ScheduleFilter.LARGEST_LIMIT);
      changed += page.items().isEmpty() ? 0 : change.apply(page.items());
      after = page.next();
    } while (after.isPresent());
    tell("schedules." + doing, said(filter, reason, changed));
    return changed;
  }

  private void tell(String action, Map<String, ?> details) {
    Stamp by = stamp.get();
    database.inTransaction(
        () -> {
          new AuditStore(database).insert(List.of(AuditStore.Line.of(action, details)), by);
          return true;
        });
  }

  /* A payload may be nobody else's business; that there was one is enough. */
  private static Map<String, Object> said(
      ScheduleFilter filter, Optional<String> reason, long changed) {
    var said = new LinkedHashMap<String, Object>();
    reason.ifPresent(why -> said.put("reason", why));
    said.put("schedules", changed);
    filter.status().ifPresent(status -> said.put("status", status.name().toLowerCase(Locale.ROOT)));
    filter.target().ifPresent(target -> said.put("target", target));
    filter.tag().ifPresent(tag -> said.put("tag", tag));
    filter.text().ifPresent(text -> said.put("text", text));
    if (!filter.payload().content().isEmpty()) {
      said.put("byPayload", true);
    }
    return said;
  }
}
