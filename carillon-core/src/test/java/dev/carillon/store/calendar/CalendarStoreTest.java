package dev.carillon.store.calendar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.model.AuditEntry;
import dev.carillon.model.AuditFilter;
import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.CalendarVersion;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.DeleteResult;
import dev.carillon.model.DeleteResult.Outcome;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.model.QuietHoursVersion;
import dev.carillon.model.SaveResult;
import dev.carillon.model.SaveResult.Change;
import dev.carillon.model.Scope;
import dev.carillon.model.SlotShift;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Database;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.Zones;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.Freeze;
import dev.carillon.time.business.HourSpan;
import dev.carillon.time.business.QuietAction;
import dev.carillon.time.business.QuietHours;
import dev.carillon.time.business.QuietWindow;
import dev.carillon.time.business.SpecialDay;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.MonthDay;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
class CalendarStoreTest {
  private static final LocalDate CHRISTMAS = LocalDate.of(2026, 12, 25);

  private final ChangedBy ada = new ChangedBy(Instant.parse("2026-03-01T00:00:00Z"), "ada");
  private final Psql psql;
  private final Database database;

  CalendarStoreTest(DataSource postgres) {
    psql = new Psql(postgres);
    database = new Database(postgres);
  }

  private static final RuleEffect NOTHING_FOLLOWS = (before, after, uses, now) -> SlotShift.NONE;

  private long revision() {
    return database.one(
        "read revision",
        "select revision from carillon.business_time",
        row -> row.number("revision"));
  }

  @BeforeEach
  void empty() {
    psql.execute(
        "truncate carillon.calendar, carillon.calendar_version, carillon.quiet_hours,"
            + " carillon.quiet_hours_version, carillon.audit, carillon.schedule,"
            + " carillon.schedule_version, carillon.cursor");
  }

  private Optional<SaveResult<CalendarVersion>> save(
      CalendarDefinition calendar, Optional<Integer> expected) {
    return database.inTransaction(
        tx -> new CalendarChanges(tx, NOTHING_FOLLOWS).save(calendar, expected, "because", ada));
  }

  private Change save(CalendarDefinition calendar) {
    return save(calendar, Optional.empty()).orElseThrow().change();
  }

  private LoadedCalendar load(String name) {
    return Optional.ofNullable(CalendarStore.load(database, List.of(name)).get(name)).orElseThrow();
  }

  private DeleteResult delete(String name) {
    return database.inTransaction(
        tx -> new CalendarChanges(tx, NOTHING_FOLLOWS).delete(name, Optional.empty(), ada));
  }

  private Optional<SaveResult<QuietHoursVersion>> save(
      QuietHoursDefinition hours, Optional<Integer> expected) {
    return database.inTransaction(
        tx -> new QuietHoursChanges(tx, NOTHING_FOLLOWS).save(hours, expected, "", ada));
  }

  private static CalendarDefinition calendar(String name, LocalDate... holidays) {
    var calendar = BusinessCalendar.named(name, Zones.of("Europe/Rome"));
    for (LocalDate holiday : holidays) {
      calendar.holiday(holiday, "a holiday of " + name);
    }
    return CalendarDefinition.of(calendar.build());
  }

  private static CalendarDefinition everything() {
    return CalendarDefinition.of(
            BusinessCalendar.named("all", Zones.of("Asia/Riyadh"))
                .weekend(DayOfWeek.FRIDAY, DayOfWeek.SATURDAY)
                .holiday(CHRISTMAS, "Christmas")
                .holiday(LocalDate.of(2026, 5, 5), "")
                .holiday(MonthDay.of(2, 29), "Leap day")
                .extraWorkingDay(LocalDate.of(2026, 12, 26), "stocktaking")
                .halfDay(LocalDate.of(2026, 12, 24), "Christmas Eve", LocalTime.of(12, 30))
                .halfDay(
                    LocalDate.of(2026, 12, 31),
                    SpecialDay.working("New Year's Eve", List.of(HourSpan.parse("08:00-10:00"))))
                .hours(
                    List.of(
                        DayOfWeek.SUNDAY, DayOfWeek.MONDAY, DayOfWeek.TUESDAY, DayOfWeek.WEDNESDAY),
                    List.of(HourSpan.parse("08:00-12:00"), HourSpan.parse("13:00-17:00")))
                .hours(DayOfWeek.THURSDAY, "09:00-11:00", "22:00-06:00")
                .coverageUntil(LocalDate.of(2027, 12, 31))
                .build())
        .describedAs("Öffnung \"heute\"");
  }

  @Test
  void a_calendar_is_found_as_it_was_saved() {
    assertThat(save(everything())).isEqualTo(Change.CREATED);

    CalendarVersion found = CalendarStore.find(database, "all").orElseThrow();
    assertThat(found.definition()).isEqualTo(everything());
    assertThat(found.version()).isEqualTo(1);
    assertThat(found.reason()).isEqualTo("because");
    assertThat(found.created()).isEqualTo(ada);
    assertThat(CalendarStore.load(database, List.of("all", "none", "all")))
        .isEqualTo(Map.of("all", new LoadedCalendar(1, everything().own(), "")));
    assertThat(new AuditStore(database).list(AuditFilter.all(), 10))
        .extracting(AuditEntry::action, AuditEntry::details)
        .containsExactly(
            tuple(
                "calendar.saved",
                Map.of(
                    "calendar",
                    "all",
                    "version",
                    1L,
                    "reason",
                    "because",
                    "schedules",
                    0L,
                    "moved",
                    0L,
                    "lost",
                    0L,
                    "gained",
                    0L)));
  }

  @Test
  void the_same_again_changes_nothing_and_a_change_is_a_new_version() {
    save(calendar("it"));
    long revision = revision();

    assertThat(save(calendar("it"))).isEqualTo(Change.UNCHANGED);
    assertThat(revision()).isEqualTo(revision);
    assertThat(save(calendar("it", CHRISTMAS))).isEqualTo(Change.NEW_VERSION);
    assertThat(revision()).isGreaterThan(revision);
    assertThat(CalendarStore.versions(database, "it", Optional.empty(), 10).items())
        .extracting(CalendarVersion::version, CalendarVersion::definition)
        .containsExactly(tuple(2, calendar("it", CHRISTMAS)), tuple(1, calendar("it")));
  }

  @Test
  void an_edit_of_another_version_than_expected_is_stale() {
    assertThat(save(calendar("it"), Optional.of(1))).isEmpty();
    assertThat(save(calendar("it"), Optional.of(0)).orElseThrow().change())
        .isEqualTo(Change.CREATED);
    assertThat(save(calendar("it", CHRISTMAS), Optional.of(0)).orElseThrow().change())
        .isEqualTo(Change.STALE);
    assertThat(save(calendar("it", CHRISTMAS), Optional.of(1)).orElseThrow().change())
        .isEqualTo(Change.NEW_VERSION);
  }

  @Test
  void a_combined_calendar_has_the_holidays_of_all_and_is_loaded_with_them() {
    save(calendar("it", CHRISTMAS));
    save(calendar("de", LocalDate.of(2026, 10, 2)));
    save(CalendarDefinition.combining("both", "it", "de"));

    BusinessCalendar loaded = load("both").calendar().orElseThrow();
    assertThat(loaded.isBusinessDay(CHRISTMAS)).isFalse();
    assertThat(loaded.isBusinessDay(LocalDate.of(2026, 10, 2))).isFalse();
    assertThat(CalendarStore.find(database, "both").orElseThrow().definition().combines())
        .containsExactly("it", "de");
  }

  @Test
  void combinations_of_what_is_not_there_of_combinations_and_of_itself_are_refused() {
    save(calendar("it"));
    save(CalendarDefinition.combining("one", "it"));

    assertThatThrownBy(() -> save(CalendarDefinition.combining("two", "it", "fr")))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("there is no calendar 'fr'; save it first, or correct the name");
    assertThatThrownBy(() -> save(CalendarDefinition.combining("two", "one")))
        .hasMessage("calendar 'one' combines others itself; name those: it");
    assertThatThrownBy(() -> save(CalendarDefinition.combining("two", "two")))
        .hasMessage("a calendar cannot combine itself; remove 'two'");
    save(calendar("de"));
    assertThatThrownBy(() -> save(CalendarDefinition.combining("it", "de")))
        .hasMessage("calendar 'one' combines 'it', so that cannot combine others; list them there");
  }

  @Test
  void an_edit_that_leaves_a_combination_without_business_days_is_refused() {
    save(calendar("it"));
    save(
        CalendarDefinition.of(
            BusinessCalendar.named("weekends", Zones.of("UTC"))
                .weekend(
                    DayOfWeek.MONDAY, DayOfWeek.TUESDAY, DayOfWeek.WEDNESDAY, DayOfWeek.THURSDAY)
                .build()));
    save(CalendarDefinition.combining("both", "it", "weekends"));

    assertThatThrownBy(
            () ->
                save(
                    CalendarDefinition.of(
                        BusinessCalendar.named("weekends", Zones.of("UTC"))
                            .weekend(
                                DayOfWeek.MONDAY,
                                DayOfWeek.TUESDAY,
                                DayOfWeek.WEDNESDAY,
                                DayOfWeek.THURSDAY,
                                DayOfWeek.FRIDAY)
                            .build())))
        .hasMessageContaining("calendar 'both' has no business day for more than a year");
  }

  @Test
  void a_calendar_in_use_is_not_deleted_and_says_who_uses_it() {
    save(calendar("it"));
    save(CalendarDefinition.combining("both", "it"));
    schedule(1, "b", "{\"calendar\": {\"name\": \"it\", \"roll\": \"following\"}}", false);
    schedule(2, "a", "{\"deadline\": {\"after\": \"PT1H\", \"calendar\": \"it\"}}", false);
    schedule(3, "c", "{\"calendar\": {\"name\": \"it\", \"roll\": \"following\"}}", true);
    schedule(4, "d", "{\"calendar\": {\"name\": \"de\", \"roll\": \"following\"}}", false);

    DeleteResult refused = delete("it");
    assertThat(refused.outcome()).isEqualTo(Outcome.IN_USE);
    assertThat(refused.users().schedules()).isEqualTo(2);
    assertThat(refused.users().firstSchedules()).containsExactly("a", "b");
    assertThat(refused.users().calendars()).containsExactly("both");
    assertThat(CalendarStore.users(database, "it", Scope.ALL, 1).firstSchedules())
        .containsExactly("a");
  }

  @Test
  void a_deleted_calendar_is_gone_but_its_versions_are_not_used_again() {
    save(calendar("it"));
    long revision = revision();

    assertThat(delete("it").outcome()).isEqualTo(Outcome.DELETED);
    assertThat(delete("it").outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(revision()).isGreaterThan(revision);
    assertThat(CalendarStore.find(database, "it")).isEmpty();
    assertThat(CalendarStore.names(database)).isEmpty();
    assertThat(CalendarStore.load(database, List.of("it"))).isEmpty();
    assertThat(save(calendar("it"))).isEqualTo(Change.CREATED);
    assertThat(CalendarStore.find(database, "it").orElseThrow().version()).isEqualTo(2);
  }

  @Test
  void a_calendar_that_cannot_be_read_is_loaded_with_the_reason() {
    save(calendar("it"));
    psql.execute(
        "update carillon.calendar_version set definition = '{\"zone\": \"Mars/Olympus\"}'");

    LoadedCalendar loaded = load("it");
    assertThat(loaded.calendar()).isEmpty();
    assertThat(loaded.problem()).startsWith("calendar 'it' cannot be read: ").contains("Mars");
  }

  @Test
  void calendars_are_listed_in_pages_by_name() {
    List.of("c", "a", "b").forEach(name -> save(calendar(name)));

    var first = CalendarStore.page(database, Optional.empty(), 2);
    assertThat(first.items()).extracting(CalendarVersion::name).containsExactly("a", "b");
    assertThat(CalendarStore.page(database, first.next(), 2).items())
        .extracting(CalendarVersion::name)
        .containsExactly("c");
  }

  @Test
  void quiet_hours_are_found_as_they_were_saved() {
    var night =
        new QuietHours(
            "night",
            Zones.of("Europe/Rome"),
            List.of(QuietWindow.daily("22:00-07:00")),
            List.of(new Freeze(ada.at(), ada.at().plusSeconds(60), "moving")),
            QuietAction.DEFER);
    save(QuietHoursDefinition.of(night), Optional.empty());
    save(QuietHoursDefinition.ofTags(quiet("tagged"), "b", "a"), Optional.empty());
    save(QuietHoursDefinition.ofEverything(quiet("global")), Optional.empty());

    assertThat(QuietHoursStore.find(database, "night").orElseThrow().definition())
        .isEqualTo(QuietHoursDefinition.of(night));
    assertThat(QuietHoursStore.all(database)).hasSize(3);
  }

  private static QuietHours quiet(String name) {
    return new QuietHours(name, Zones.of("UTC"), List.of(), List.of(), QuietAction.SKIP);
  }

  @Test
  void quiet_hours_that_a_schedule_names_are_not_deleted() {
    save(QuietHoursDefinition.of(quiet("night")), Optional.empty());
    schedule(1, "a", "{\"quietHours\": \"night\"}", false);

    DeleteResult refused =
        database.inTransaction(
            tx ->
                new QuietHoursChanges(tx, NOTHING_FOLLOWS).delete("night", Optional.empty(), ada));
    assertThat(refused.outcome()).isEqualTo(Outcome.IN_USE);
    assertThat(refused.users().firstSchedules()).containsExactly("a");
    psql.execute("update carillon.schedule_version set retired_at = created_at");
    assertThat(
            database
                .inTransaction(
                    tx ->
                        new QuietHoursChanges(tx, NOTHING_FOLLOWS)
                            .delete("night", Optional.empty(), ada))
                .outcome())
        .isEqualTo(Outcome.DELETED);
  }

  private void schedule(long id, String key, String definition, boolean retired) {
    psql.execute(
        """
        insert into carillon.schedule (id, key, version, created_at, created_by, updated_at, updated_by, status)
        overriding system value
        values (%1$d, '%2$s', 1, '2026-01-01Z', 'ada', '2026-01-01Z', 'ada', '%4$s');
        insert into carillon.schedule_version
               (schedule_id, version, target, payload, definition, created_at, created_by, retired_at)
        values (%1$d, 1, 'log', '{}', '%3$s', '2026-01-01Z', 'ada', %5$s)
        """
            .formatted(
                id,
                key,
                definition,
                retired ? "retired" : "active",
                retired ? "'2026-02-01Z'" : "null"));
  }
}
