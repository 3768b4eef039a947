package dev.carillon.store.calendar;

import dev.carillon.definition.FieldLimits;
import dev.carillon.definition.QuietHoursJson;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.DeleteResult;
import dev.carillon.model.DeleteResult.Outcome;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.model.QuietHoursVersion;
import dev.carillon.model.SaveResult;
import dev.carillon.model.SaveResult.Change;
import dev.carillon.model.Scope;
import dev.carillon.model.StorableText;
import dev.carillon.model.Users;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Transaction;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Saves and deletes quiet hours, in one transaction. */
public final class QuietHoursChanges {
  private final Transaction tx;

  public QuietHoursChanges(Transaction tx) {
    this.tx = tx;
  }

  /** Lock the quiet hours of a name, which may not exist yet, against other changes. */
  public void lock(String name) {
    tx.query(
        "lock quiet hours against changes",
        "select pg_advisory_xact_lock(hashtextextended('carillon quiet hours ' || :name, 0))",
        bind -> bind.set("name", name),
        row -> true);
  }

  /**
   * Save quiet hours; the same again changes nothing.
   *
   * @param expected the version they must have, if that matters; 0 if there must be none
   * @param reason why, in words; may be empty
   * @return what there is now; empty if there are none although a version was expected
   */
  public Optional<SaveResult<QuietHoursVersion>> save(
      QuietHoursDefinition definition, Optional<Integer> expected, String reason, ChangedBy by) {
    return save(definition, expected, "quiet_hours.saved", Map.of(), reason, by);
  }

  /**
   * Save quiet hours in the same way, under another name in the audit.
   *
   * @param details what the audit says besides
   */
  public Optional<SaveResult<QuietHoursVersion>> save(
      QuietHoursDefinition definition,
      Optional<Integer> expected,
      String action,
      Map<String, ?> details,
      String reason,
      ChangedBy by) {
    String name = FieldLimits.name("quiet hours", definition.name());
    lock(name);
    Optional<Current> last = last(definition);
    Optional<QuietHoursVersion> before = QuietHoursStore.find(tx, name);
    if (expected.isPresent()
        && !expected.get().equals(before.map(QuietHoursVersion::version).orElse(0))) {
      return before.map(there -> new SaveResult<>(there, Change.STALE));
    }
    if (before.isPresent() && last.filter(Current::same).isPresent()) {
      return before.map(there -> new SaveResult<>(there, Change.UNCHANGED));
    }
    int version = last.map(Current::version).orElse(0) + 1;
    write(definition, version, reason, by);
    var said = new LinkedHashMap<String, Object>(details);
    said.put("version", version);
    audit(action, name, said, reason, by);
    CalendarChange.applied(tx, before.map(QuietHoursVersion::definition), Optional.of(definition));
    return QuietHoursStore.find(tx, name)
        .map(
            saved ->
                new SaveResult<>(saved, before.isPresent() ? Change.NEW_VERSION : Change.CREATED));
  }

  /** Delete quiet hours that no schedule names. */
  public DeleteResult delete(String name, Optional<Integer> expected, ChangedBy by) {
    if (!StorableText.is(name)) {
      return DeleteResult.of(Outcome.UNKNOWN);
    }
    lock(name);
    tx.query(
        "lock quiet hours to delete",
        """
        select name
          from carillon.quiet_hours  -- against schedules that would name them
         where name = :name
           for update
        """,
        bind -> bind.set("name", name),
        row -> true);
    Optional<QuietHoursVersion> before = QuietHoursStore.find(tx, name);
    if (before.isEmpty()) {
      return DeleteResult.of(Outcome.UNKNOWN);
    }
    if (expected.isPresent() && !expected.equals(before.map(QuietHoursVersion::version))) {
      return DeleteResult.of(Outcome.STALE);
    }
    Users users = QuietHoursStore.users(tx, name, Scope.ALL, CalendarChanges.NAMED_USERS);
    if (!users.isEmpty()) {
      return DeleteResult.inUse(users);
    }
    tx.update(
        "delete quiet hours",
        """
        update carillon.quiet_hours
           set deleted_at = :at, deleted_by = :by, revision = revision + 1
         where name = :name
        """,
        bind -> bind.set("name", name).by(by));
    audit("quiet_hours.deleted", name, Map.of(), "", by);
    CalendarChange.applied(tx, before.map(QuietHoursVersion::definition), Optional.empty());
    return DeleteResult.of(Outcome.DELETED);
  }

  private record Current(int version, boolean same) {}

  private Optional<Current> last(QuietHoursDefinition definition) {
    return tx.first(
        "compare quiet hours",
        """
        select quiet_hours.version, version.definition = :definition::jsonb as same
          from carillon.quiet_hours
          join carillon.quiet_hours_version as version
            on version.name = quiet_hours.name and version.version = quiet_hours.version
         where quiet_hours.name = :name
        """,
        bind ->
            bind.set("name", definition.name())
                .set("definition", QuietHoursJson.stored(definition)),
        row -> new Current(row.integer("version"), row.flag("same")));
  }

  private void write(QuietHoursDefinition definition, int version, String reason, ChangedBy by) {
    tx.update(
        "save quiet hours",
        """
        insert into carillon.quiet_hours (name, version, revision, tags, everything, created_at, created_by)
        values (:name, :version, 1, :tags, :everything, :at, :by)
            on conflict (name) do update
           set version = excluded.version, revision = quiet_hours.revision + 1, tags = excluded.tags,
               everything = excluded.everything, deleted_at = null, deleted_by = null
        """,
        bind ->
            bind.set("name", definition.name())
                .set("version", version)
                .each("tags", "text", definition.tags(), tag -> tag)
                .set("everything", definition.everything())
                .by(by));
    tx.update(
        "save a version of quiet hours",
        """
        insert into carillon.quiet_hours_version (name, version, definition, reason, created_at, created_by)
        values (:name, :version, :definition::jsonb, :reason, :at, :by)
        """,
        bind ->
            bind.set("name", definition.name())
                .set("version", version)
                .set("definition", QuietHoursJson.stored(definition))
                .set("reason", reason)
                .by(by));
  }

  private void audit(String action, String name, Map<String, ?> more, String reason, ChangedBy by) {
    var details = new LinkedHashMap<String, Object>();
    details.put("quietHours", name);
    details.putAll(more);
    if (!reason.isEmpty()) {
      details.put("reason", reason);
    }
    AuditStore.insert(tx, List.of(AuditStore.Line.of(action, details)), by);
  }
}
