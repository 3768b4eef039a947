package dev.carillon.model;

import java.util.Optional;

/**
 * Which lines of the audit are wanted, newest first.
 *
 * @param schedule of the schedule with this key
 * @param actor by this actor
 * @param action with this action, such as {@code schedule.paused}
 * @param before older than the line of this number
 * @param scope about schedules that it reaches
 */
public record AuditFilter(
    Optional<String> schedule,
    Optional<String> actor,
    Optional<String> action,
    Optional<Long> before,
    Scope scope) {
  public AuditFilter {
    StorableText.check("schedule", schedule);
    StorableText.check("actor", actor);
    StorableText.check("action", action);
  }

  /** Want every line. */
  public static AuditFilter all() {
    return new AuditFilter(
        Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Scope.ALL);
  }

  /** Want lines about the schedule called {@code key}. */
  public static AuditFilter bySchedule(String key) {
    return all().schedule(key);
  }

  /** Want lines about the schedule called {@code key}. */
  public AuditFilter schedule(String key) {
    return new AuditFilter(Optional.of(key), actor, action, before, scope);
  }

  /** Want lines by {@code actor}. */
  public AuditFilter actor(String actor) {
    return new AuditFilter(schedule, Optional.of(actor), action, before, scope);
  }

  /** Want lines with {@code action}. */
  public AuditFilter action(String action) {
    return new AuditFilter(schedule, actor, Optional.of(action), before, scope);
  }

  /** Want lines older than number {@code id}. */
  public AuditFilter before(long id) {
    return new AuditFilter(schedule, actor, action, Optional.of(id), scope);
  }

  /** Want lines about schedules that {@code reached} reaches. */
  public AuditFilter within(Scope reached) {
    return reached.isAll() ? this : new AuditFilter(schedule, actor, action, before, reached);
  }
}
