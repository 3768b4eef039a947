package dev.carillon.store.calendar;

import dev.carillon.definition.BusinessTimeJson;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.QuietPolicy;
import dev.carillon.model.QuietPolicyVersion;
import dev.carillon.model.StorableText;
import dev.carillon.policy.QuietScope;
import dev.carillon.store.jdbc.EnumText;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.Transaction;
import java.util.List;
import java.util.Optional;

/** Quiet hours and all their versions. */
public final class QuietHoursStore {
  private QuietHoursStore() {}

  /** Return quiet hours as they are now. */
  public static Optional<QuietPolicyVersion> find(Statements statements, String name) {
    return StorableText.is(name)
        ? statements.first(
            "find quiet hours",
            """
            select name, version, definition::text as definition, scope, tag, updated_at, updated_by
              from carillon.quiet_hours
             where name = :name
            """,
            bind -> bind.set("name", name),
            row -> version(row, "updated"))
        : Optional.empty();
  }

  /** Return all quiet hours as they are now, by name. */
  public static List<QuietPolicyVersion> list(Statements statements) {
    return statements.query(
        "list quiet hours",
        """
        select name, version, definition::text as definition, scope, tag, updated_at, updated_by
          from carillon.quiet_hours
         order by name
        """,
        row -> version(row, "updated"));
  }

  /** Return what quiet hours ever said, newest first, without their deletions. */
  public static List<QuietPolicyVersion> versions(Statements statements, String name) {
    return StorableText.is(name)
        ? statements.query(
            "list versions of quiet hours",
            """
            select name, version, definition::text as definition, scope, tag, created_at, created_by
              from carillon.quiet_hours_version
             where name = :name
               and definition is not null
             order by version desc
            """,
            bind -> bind.set("name", name),
            row -> version(row, "created"))
        : List.of();
  }

  private static QuietPolicyVersion version(Row row, String action) {
    return new QuietPolicyVersion(
        new QuietPolicy(
            RuleBooks.quietHours(row.text("name"), row.text("definition")),
            new QuietScope(row.constant("scope", QuietScope.Kind.class), row.optionalText("tag"))),
        row.integer("version"),
        row.changedBy(action));
  }

  /** Make a new version and return its number; the quiet hours are locked. */
  public static int save(Transaction tx, QuietPolicy policy, ChangedBy by) {
    return tx.one(
        "save quiet hours",
        """
        with version as (
          insert into carillon.quiet_hours_version (name, version, definition, scope, tag, created_at, created_by)
          select :name, coalesce(max(version), 0) + 1, :definition::jsonb, :scope, :tag, :at, :by
            from carillon.quiet_hours_version
           where name = :name
          returning name, version, definition, scope, tag, created_at, created_by)
        insert into carillon.quiet_hours (name, version, definition, scope, tag, updated_at, updated_by)
        select name, version, definition, scope, tag, created_at, created_by
          from version
            on conflict (name) do update
           set version = excluded.version, definition = excluded.definition, scope = excluded.scope,
               tag = excluded.tag, updated_at = excluded.updated_at, updated_by = excluded.updated_by
        returning version
        """,
        bind ->
            bind.set("name", policy.hours().name())
                .set("definition", BusinessTimeJson.write(policy.hours()))
                .set("scope", EnumText.of(policy.scope().kind()))
                .set("tag", policy.scope().tag().orElse(null))
                .set("at", by.at())
                .set("by", by.by()),
        row -> row.integer("version"));
  }

  /** Delete quiet hours, whose versions stay; the quiet hours are locked. */
  public static boolean delete(Transaction tx, String name, ChangedBy by) {
    return tx.update(
            "delete quiet hours",
            """
            with gone as (
              delete from carillon.quiet_hours
               where name = :name
              returning name, version)
            insert into carillon.quiet_hours_version (name, version, created_at, created_by)
            select name, version + 1, :at, :by
              from gone
            """,
            bind -> bind.set("name", name).set("at", by.at()).set("by", by.by()))
        > 0;
  }
}
