package dev.carillon.store.calendar;

import dev.carillon.definition.FieldLimits;
import dev.carillon.definition.QuietHoursJson;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.DeleteResult;
import dev.carillon.model.DeleteResult.Outcome;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.model.QuietHoursVersion;
import dev.carillon.model.RuleUse;
import dev.carillon.model.SaveResult;
import dev.carillon.model.SaveResult.Change;
import dev.carillon.model.Scope;
import dev.carillon.model.SlotShift;
import dev.carillon.model.StorableText;
import dev.carillon.model.Users;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Transaction;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Saves and deletes quiet hours, in one transaction. */
public final class QuietHoursChanges {
  private final Transaction tx;
  private final RuleEffect effect;

  public QuietHoursChanges(Transaction tx, RuleEffect effect) {
    this.tx = tx;
    this.effect = effect;
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
      return before.map(there -> SaveResult.of(there, Change.STALE));
    }
    if (before.isPresent() && last.filter(Current::same).isPresent()) {
      return before.map(there -> SaveResult.of(there, Change.UNCHANGED));
    }
    int version = last.map(Current::version).orElse(0) + 1;
    RuleBook rules = RuleBooks.change(tx);
    rules.checkEnds(definition);
    write(definition, version, reason, by);
    SlotShift shift = changed(rules, before, Optional.of(definition), by);
    var said = new LinkedHashMap<String, Object>(details);
    said.put("version", version);
    said.putAll(shift.counts());
    audit(action, name, said, reason, by);
    return QuietHoursStore.find(tx, name)
        .map(
            saved ->
                SaveResult.of(saved, before.isPresent() ? Change.NEW_VERSION : Change.CREATED)
                    .shifting(shift));
  }

  /** Delete quiet hours that no schedule names. */
  public DeleteResult delete(String name, Optional<Integer> expected, ChangedBy by) {
    if (!StorableText.is(name)) {
      return DeleteResult.of(Outcome.UNKNOWN);
    }
    lock(name);
    Optional<QuietHoursVersion> before = QuietHoursStore.find(tx, name);
    if (before.isEmpty()) {
      return DeleteResult.of(Outcome.UNKNOWN);
    }
    if (expected.isPresent() && !expected.equals(before.map(QuietHoursVersion::version))) {
      return DeleteResult.of(Outcome.STALE);
    }
    RuleBook rules = RuleBooks.change(tx); // schedules that would name them wait
    Users users = QuietHoursStore.users(tx, name, Scope.ALL, CalendarChanges.NAMED_USERS);
    if (!users.isEmpty()) {
      return DeleteResult.inUse(users);
    }
    tx.update(
        "delete quiet hours",
        """
        update carillon.quiet_hours
           set deleted_at = :at, deleted_by = :by
         where name = :name
        """,
        bind -> bind.set("name", name).by(by));
    tx.update(
        "end a version of quiet hours",
        """
        update carillon.quiet_hours_version
           set deleted_at = :at, deleted_by = :by
         where name = :name
           and version = :version
        """,
        bind -> bind.set("name", name).set("version", before.get().version()).by(by));
    SlotShift shift = changed(rules, before, Optional.empty(), by);
    audit("quiet_hours.deleted", name, shift.counts(), "", by);
    return DeleteResult.of(Outcome.DELETED).shifting(shift);
  }

  private SlotShift changed(
      RuleBook rules,
      Optional<QuietHoursVersion> before,
      Optional<QuietHoursDefinition> after,
      ChangedBy by) {
    Set<RuleUse> uses =
        Stream.concat(before.map(QuietHoursVersion::definition).stream(), after.stream())
            .flatMap(QuietHoursChanges::uses)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    return effect.changed(
        rules,
        RuleBooks.read(tx),
        uses.contains(RuleUse.ALL) ? Set.of(RuleUse.ALL) : uses,
        by.at());
  }

  private static Stream<RuleUse> uses(QuietHoursDefinition definition) {
    return definition.everything()
        ? Stream.of(RuleUse.ALL)
        : Stream.concat(
            Stream.of(RuleUse.ofQuietHours(definition.name())),
            definition.tags().stream().map(RuleUse::ofTag));
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
        insert into carillon.quiet_hours (name, version, tags, everything, created_at, created_by)
        values (:name, :version, :tags, :everything, :at, :by)
            on conflict (name) do update
           set version = excluded.version, tags = excluded.tags, everything = excluded.everything,
               deleted_at = null, deleted_by = null
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
