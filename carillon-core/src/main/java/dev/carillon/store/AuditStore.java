package dev.carillon.store;

import dev.carillon.json.Json;
import dev.carillon.model.AuditEntry;
import dev.carillon.model.AuditFilter;
import dev.carillon.model.Stamp;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who changed what. */
public final class AuditStore {
  private final Database database;

  public AuditStore(Database database) {
    this.database = database;
  }

  /**
   * A line to write.
   *
   * @param schedule the number of the schedule it is about, if it is about one
   * @param action such as {@code schedule.paused}
   * @param details what else there is to say, by name
   */
  public record Line(Optional<Long> schedule, String action, Map<String, ?> details) {
    public Line(long schedule, String action, Map<String, ?> details) {
      this(Optional.of(schedule), action, details);
    }

    /** Return a line that is about no schedule. */
    public static Line of(String action, Map<String, ?> details) {
      return new Line(Optional.empty(), action, details);
    }
  }

  /** Write lines in the transaction of the change they tell of. */
  public void insert(List<Line> lines, Stamp stamp) {
    if (lines.isEmpty()) {
      return;
    }
    database.update(
        "insert audit",
        """
        insert into carillon.audit (at, actor, action, schedule_id, details)
        select :at, :actor, line.action, line.schedule_id, line.details::jsonb
          from unnest(:schedules, :actions, :details) as line (schedule_id, action, details)
        """,
        bind ->
            bind.set("at", stamp.at())
                .set("actor", stamp.by())
                .array("schedules", "bigint", lines, Line::schedule)
                .array("actions", "text", lines, Line::action)
                .array("details", "text", lines, line -> Json.write(line.details)));
  }

  /** Return the newest lines that {@code filter} wants, newest first. */
  public List<AuditEntry> list(AuditFilter filter, int limit) {
    return database.query(
        "list audit",
        """
        select audit.id, audit.at, audit.actor, audit.action, schedule.key, audit.details
          from carillon.audit
          left join carillon.schedule
            on schedule.id = audit.schedule_id
         where (:schedule::text is null
                or audit.schedule_id = (select id from carillon.schedule where key = :schedule))
           and (:actor::text is null or audit.actor = :actor)
           and (:action::text is null or audit.action = :action)
           and (:before::bigint is null or audit.id < :before)
         order by audit.id desc
         limit :limit
        """,
        bind ->
            bind.set("schedule", filter.schedule())
                .set("actor", filter.actor())
                .set("action", filter.action())
                .set("before", filter.before())
                .set("limit", limit),
        row ->
            new AuditEntry(
                row.number("id"),
                new Stamp(row.instant("at"), row.text("actor")),
                row.text("action"),
                row.optionalText("key"),
                Json.readObject(row.text("details"))));
  }
}
