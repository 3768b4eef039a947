package dev.carillon.store.schedule;

import dev.carillon.model.Page;
import dev.carillon.model.PayloadUse;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.store.jdbc.Bind;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.PageRoom;
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

  private static final String BY_TARGET =
      """
      with found as materialized (
        select *
          from carillon.current_schedule
         where target = :target
           and retired_at is null
           and (:payload::text = '{}' or payload @> :payload::jsonb))
      select id, key, version, status, completed, pause_reason, paused_until, pause_from, coming_pause_reason,
             coming_pause_until, target, case when :payloads then payload end as payload, definition, tags,
             created_at, created_by, updated_at, updated_by, next_slot
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
      """;

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

  Page<Schedule> page(
      ScheduleFilter filter, Optional<String> after, int limit, PayloadUse payloads) {
    Pages.checked(limit);
    String start = after.map(token -> PageToken.text(PageToken.Of.SCHEDULES, token)).orElse("");
    var wanted = new Wanted(filter, limit, payloads);
    if (filter.status().filter(ScheduleStatus.RETIRED::equals).isEmpty()) {
      if (filter.target().isPresent() && hasFew(filter.target().get())) {
        return database.inTransaction(tx -> byTarget(tx, wanted, start));
      }
      if (!filter.payload().content().isEmpty() && hasFewWithPayload(filter)) {
        return database.inTransaction(tx -> byPayload(tx, wanted, start));
      }
    }
    return database.inTransaction(
        tx -> {
          Pages.alongIndexes(tx);
          return byKey(tx, wanted, start);
        });
  }

  /** The schedules of a page. */
  private record Wanted(ScheduleFilter filter, int limit, PayloadUse payloads) {
    Bind bind(Bind bind, int limit) {
      return ScheduleStore.bind(bind, filter, limit, payloads);
    }
  }

  private static Page<Schedule> cut(List<Schedule> found, PageRoom room) {
    return Pages.of(found, room, PageToken.Of.SCHEDULES, Schedule::key);
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

  private static Page<Schedule> byPayload(Transaction tx, Wanted wanted, String after) {
    PageRoom room = PageRoom.of(wanted.limit);
    List<Schedule> found =
        room.read(
            tx,
            "page schedules by payload",
            ScheduleStore.BY_PAYLOAD,
            bind -> wanted.bind(bind, wanted.limit + 1).set("after", after),
            ScheduleStore::toSchedule);
    return cut(found, room);
  }

  private static Page<Schedule> byTarget(Transaction tx, Wanted wanted, String after) {
    PageRoom room = PageRoom.of(wanted.limit);
    List<Schedule> found =
        room.read(
            tx,
            "page schedules by target",
            BY_TARGET,
            bind -> wanted.bind(bind, wanted.limit + 1).set("after", after),
            ScheduleStore::toSchedule);
    return cut(found, room);
  }

  private record KeyRange(String last, long keys) {}

  private Page<Schedule> byKey(Transaction tx, Wanted wanted, String start) {
    PageRoom room = PageRoom.of(wanted.limit);
    var found = new ArrayList<Schedule>();
    String after = start;
    int most = Math.max(effort.least, wanted.limit * 2);
    for (int read = 0; read < effort.most && !room.isFull(); most *= GROWTH) {
      int some = Math.min(most, effort.most - read);
      KeyRange range = range(tx, after, some);
      String from = after;
      found.addAll(
          room.read(
              tx,
              "page schedules by key",
              ScheduleStore.BY_KEY,
              bind ->
                  wanted
                      .bind(bind, wanted.limit + 1 - found.size())
                      .set("after", from)
                      .set("last", range.last),
              ScheduleStore::toSchedule));
      if (range.keys < some) {
        return cut(found, room);
      }
      after = range.last;
      read += some;
    }
    return room.isFull()
        ? cut(found, room)
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
}
