package dev.carillon.store.schedule;

import dev.carillon.model.RuleUse;
import dev.carillon.model.Schedule;
import dev.carillon.store.jdbc.Bind;
import dev.carillon.store.jdbc.Statements;
import java.util.List;

/** Finds the schedules that follow a calendar or keep quiet hours. */
public final class RuleUsers {
  private static final String USES =
      """
           and (:calendar::text is null
                or :calendar in (version.definition -> 'calendar' ->> 'name', version.definition -> 'timing' ->> 'calendar'))
           and (:quietHours::text is null or version.definition ->> 'quietHours' = :quietHours)
           and (:tag::text is null or version.tags @> array[:tag::text])
      """;

  private final Statements statements;

  public RuleUsers(Statements statements) {
    this.statements = statements;
  }

  /** Return up to {@code limit} numbers of active ones, in their order after {@code after}. */
  List<Long> active(RuleUse use, long after, int limit) {
    return statements.query(
        "find schedules to replan",
        """
        select schedule.id
          from carillon.schedule
          join carillon.schedule_version as version
            on version.schedule_id = schedule.id and version.version = schedule.version
         where schedule.status = 'active'
           and schedule.id > :after
        """
            + USES
            + """
         order by schedule.id
         limit :limit
        """,
        bind -> bindUse(bind, use).set("after", after).set("limit", limit),
        row -> row.number("id"));
  }

  /** Return up to {@code limit} of those that are not retired, by number after {@code after}. */
  public List<Schedule> page(RuleUse use, long after, int limit) {
    return statements.query(
        "list schedules that use a rule",
        """
        select schedule.*
          from carillon.current_schedule as schedule
          join carillon.schedule_version as version
            on version.schedule_id = schedule.id and version.version = schedule.version
         where schedule.status <> 'retired'
           and schedule.id > :after
        """
            + USES
            + """
         order by schedule.id
         limit :limit
        """,
        bind -> bindUse(bind, use).set("after", after).set("limit", limit),
        ScheduleStore::toSchedule);
  }

  /** Return the numbers above {@code after} of all that are not retired. */
  public List<Long> numbers(RuleUse use, long after) {
    return statements.query(
        "list numbers of schedules that use a rule",
        """
        select schedule.id
          from carillon.schedule
          join carillon.schedule_version as version
            on version.schedule_id = schedule.id and version.version = schedule.version
         where schedule.status <> 'retired'
           and schedule.id > :after
        """
            + USES,
        bind -> bindUse(bind, use).set("after", after),
        row -> row.number("id"));
  }

  /** Return the keys of up to {@code limit} of those that are not retired, in ascending order. */
  public List<String> keys(RuleUse use, int limit) {
    return statements.query(
        "list keys of schedules that use a rule",
        """
        select schedule.key
          from carillon.schedule
          join carillon.schedule_version as version
            on version.schedule_id = schedule.id and version.version = schedule.version
         where schedule.status <> 'retired'
        """
            + USES
            + """
         order by schedule.key
         limit :limit
        """,
        bind -> bindUse(bind, use).set("limit", limit),
        row -> row.text("key"));
  }

  /** Return how many are not retired. */
  public long count(RuleUse use) {
    return statements.one(
        "count schedules that use a rule",
        """
        select count(*) as schedules
          from carillon.schedule
          join carillon.schedule_version as version
            on version.schedule_id = schedule.id and version.version = schedule.version
         where schedule.status <> 'retired'
        """
            + USES,
        bind -> bindUse(bind, use),
        row -> row.number("schedules"));
  }

  private static Bind bindUse(Bind bind, RuleUse use) {
    return bind.set("calendar", use.calendar().orElse(null))
        .set("quietHours", use.quietHours().orElse(null))
        .set("tag", use.tag().orElse(null));
  }
}
