package dev.carillon.store.schedule;

import dev.carillon.model.Page;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.PageToken;
import dev.carillon.store.jdbc.Pages;
import dev.carillon.store.jdbc.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Pages of schedules by key, at a bounded cost.
 *
 * <p>If few schedules have the target or the payload of the filter, the index on it finds them.
 * Otherwise a page reads at most ten thousand schedules by key, and is short if that is not enough.
 */
final class SchedulePages {
  private static final int GROWTH = 4;

  private final Database database;
  private final Effort effort;

  /** The most schedules to find by target or payload, the first to read by key, and the most. */
  record Effort(int few, int least, int most) {
    static final Effort USUAL = new Effort(2_000, 200, 10_000);
  }

  SchedulePages(Database database, Effort effort) {
    this.database = database;
    this.effort = effort;
  }

  Page<Schedule> page(ScheduleFilter filter, Optional<String> after, int limit) {
    Pages.checked(limit);
    String start = after.map(token -> PageToken.text(PageToken.Of.SCHEDULES, token)).orElse("");
    if (filter.status().filter(ScheduleStatus.RETIRED::equals).isEmpty()) {
      if (filter.target().isPresent() && hasFew(filter.target().get())) {
        return cut(byTarget(filter, start, limit + 1), limit);
      }
      if (!filter.payload().content().isEmpty() && hasFewWithPayload(filter)) {
        return cut(byPayload(filter, start, limit + 1), limit);
      }
    }
    return database.inTransaction(
        tx -> {
          Pages.alongIndexes(tx);
          return byKey(tx, filter, start, limit);
        });
  }

  private static Page<Schedule> cut(List<Schedule> found, int limit) {
    return Pages.of(found, limit, PageToken.Of.SCHEDULES, Schedule::key);
  }

  private boolean hasFew(String target) {
    return database.one(
        "tell whether a target has few schedules",
        """
        select count(*) <= :few as few
          from (select 1
                  from carillon.schedule_version
                 where target = :target
                   and retired_at is null
                 limit :few + 1) as first
        """,
        bind -> bind.set("target", target).set("few", effort.few),
        row -> row.flag("few"));
  }

  private boolean hasFewWithPayload(ScheduleFilter filter) {
    return database.one(
        "tell whether few schedules have a payload",
        """
        select count(*) <= :few as few
          from (select 1
                  from carillon.schedule_version
                 where payload @> :payload::jsonb
                   and retired_at is null
                 limit :few + 1) as first
        """,
        bind -> bind.set("payload", filter.payload().json()).set("few", effort.few),
        row -> row.flag("few"));
  }

  private List<Schedule> byPayload(ScheduleFilter filter, String after, int limit) {
    return database.query(
        "page schedules by payload",
        ScheduleStore.BY_PAYLOAD,
        bind -> ScheduleStore.bind(bind, filter, limit).set("after", after),
        ScheduleStore::toSchedule);
  }

  private List<Schedule> byTarget(ScheduleFilter filter, String after, int limit) {
    return database.query(
        "page schedules by target",
        """
        with found as materialized (
          select *
            from carillon.current_schedule
           where target = :target
             and retired_at is null
             and payload @> :payload::jsonb)
        select *
          from found
         where key > :after
           and (:status::text is null or status = :status)
           and (:completed::boolean is null or completed = :completed)
           and (:tag::text is null or :tag = any(tags))
           and (:text::text is null
                or key ilike :text
                or target ilike :text
                or definition ->> 'description' ilike :text)
           and (:scope::jsonb is null or carillon.in_scope(:scope::jsonb, key, target, tags))
         order by key
         limit :limit
        """,
        bind -> ScheduleStore.bind(bind, filter, limit).set("after", after),
        ScheduleStore::toSchedule);
  }

  private record KeyRange(String last, long keys) {}

  private Page<Schedule> byKey(Transaction tx, ScheduleFilter filter, String start, int limit) {
    var found = new ArrayList<Schedule>();
    String after = start;
    int most = Math.max(effort.least, limit * 2);
    for (int read = 0; read < effort.most && found.size() <= limit; most *= GROWTH) {
      int some = Math.min(most, effort.most - read);
      KeyRange range = range(tx, after, some);
      found.addAll(within(tx, filter, after, range.last, limit + 1 - found.size()));
      if (range.keys < some) {
        return cut(found, limit);
      }
      after = range.last;
      read += some;
    }
    return found.size() > limit
        ? cut(found, limit)
        : new Page<>(found, Optional.of(PageToken.at(PageToken.Of.SCHEDULES, after)));
  }

  private KeyRange range(Transaction tx, String after, int most) {
    return tx.one(
        "look at keys",
        """
        select max(key) as last, count(*) as keys
          from (select key
                  from carillon.schedule
                 where key > :after
                 order by key
                 limit :most) as read
        """,
        bind -> bind.set("after", after).set("most", most),
        row -> new KeyRange(row.optionalText("last").orElse(after), row.number("keys")));
  }

  private List<Schedule> within(
      Transaction tx, ScheduleFilter filter, String after, String last, int limit) {
    return tx.query(
        "page schedules by key",
        ScheduleStore.BY_KEY,
        bind -> ScheduleStore.bind(bind, filter, limit).set("after", after).set("last", last),
        ScheduleStore::toSchedule);
  }
}
