package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Calendars, quiet hours and freezes from the command line, against a real server. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(120)
class CalendarCommandsTest {
  private final RealServer server;

  CalendarCommandsTest(PostgresServer postgres, @TempDir Path folder) {
    server = new RealServer(postgres, postgres.createMigrated(), folder, Map.of());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void a_calendar_is_made_shown_compared_exported_and_deleted() throws Exception {
    assertThat(
            server.ok(
                "calendar create it --zone Europe/Rome --hours 09:00-17:00 --holiday"
                    + " 2027-03-29=Pasquetta --coverage-until 2099-12-31"))
        .isEqualTo("calendar it version 1 is saved\n");
    assertThat(server.ok("calendar days it --from 2027-03-26 --to 2027-03-31"))
        .contains("2027-03-29", "holiday", "Pasquetta")
        .endsWith("2 business days\n");
    assertThat(server.ok("calendar days it --from 2027-03-26 --to 2027-03-31 --off"))
        .doesNotContain("2027-03-26");
    server.write(
        "it.yaml", "zone: Europe/Rome\nholidays:\n  - date: 2027-03-30\n    name: strike\n");
    assertThat(server.ok("calendar create it -f it.yaml --dry-run"))
        .startsWith("would be changed\n")
        .contains("holidays/2027-03-29: Pasquetta -> none", "holidays/2027-03-30: none -> strike");
    server.ok("calendar create it -f it.yaml --reason test");
    assertThat(server.ok("calendar diff it 1")).contains("holidays/2027-03-30: none -> strike");
    assertThat(server.ok("calendar show it")).startsWith("it  version 2\n").contains("strike");
    assertThat(server.ok("calendar export it")).startsWith("BEGIN:VCALENDAR\n").contains("strike");
    assertThat(server.ok("calendar list")).contains("it", "Europe/Rome");
    assertThat(server.ok("calendar who-uses it")).isEqualTo("nothing uses it\n");
    server.ok("calendar create both --combines it");
    Answer refused = server.run("calendar delete it --yes");
    assertThat(refused.code()).isNotZero();
    assertThat(refused.err()).contains("It is combined by: both.");
    assertThat(server.ok("calendar who-uses it")).isEqualTo("calendar both\n");
    server.ok("calendar delete both --yes");
    assertThat(server.ok("calendar delete it --yes")).isEqualTo("calendar it is deleted\n");
    assertThat(server.run("calendar show it").err())
        .isEqualTo("carillon: No calendar is called 'it'; 'carillon calendar list' lists them.\n");
  }

  @Test
  void hours_are_those_of_the_days_that_are_not_of_the_weekend_of_the_file() throws Exception {
    server.write("shop.yaml", "zone: Europe/Rome\nweekend: [sunday]\n");
    server.ok("calendar create shop -f shop.yaml --hours 10:00-20:00");

    assertThat(server.ok("calendar show shop -o yaml"))
        .contains("saturday:\n  - '10:00-20:00'")
        .doesNotContain("sunday:");
    Answer refused = server.run("calendar create shop --zone UTC --hours 9-17");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).startsWith("carillon: --hours: '9-17' is no span of hours; ");
    assertThat(server.run("calendar diff shop 9").err())
        .isEqualTo(
            "carillon: Calendar 'shop' never had this version; 'carillon calendar show' tells the"
                + " latest.\n");
  }

  @Test
  void a_mistake_in_a_file_is_told_with_its_line() throws Exception {
    server.write("it.yaml", "zone: Europe/Rome\nholidays:\n  - date: tomorrow\n");

    Answer refused = server.run("calendar create it -f it.yaml");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("nothing was changed", "it.yaml:3", "must be a date");
  }

  @Test
  void holidays_are_imported_by_country_and_from_a_file() throws Exception {
    assertThat(
            server.ok(
                "calendar import by --country DE --region BY --year 2027,2028 --zone"
                    + " Europe/Berlin"))
        .endsWith("holidays are imported into calendar by, which are known until 2028-12-31\n");
    assertThat(server.run("calendar import by --country XX --year 2027").err())
        .contains("'XX' is not known; known are AD, ");
    server.write(
        "more.ics",
        "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:1\nSUMMARY:Patron\nDTSTART;VALUE=DATE:20290624\nEND:VEVENT\nEND:VCALENDAR\n");
    assertThat(server.ok("calendar import by -f more.ics"))
        .contains("holidays/2029-06-24: none -> Patron")
        .endsWith("1 holidays are imported into calendar by, which are known until 2029-12-31\n");
    assertThat(server.run("calendar import by").code()).isEqualTo(2);
  }

  @Test
  void a_change_says_in_words_what_it_does_to_schedules() throws Exception {
    server.ok("calendar create it --zone UTC");
    server.ok("schedule create daily --target noop --cron 0␣3␣*␣*␣* --zone UTC --calendar it");
    assertThat(server.ok("calendar create it --zone UTC --weekend fri,sat,sun --dry-run"))
        .startsWith("would be changed\n")
        .containsPattern("\n1 schedule uses it; [45] slots of the next 30 days move\n$");
    assertThat(server.ok("calendar create it --zone UTC --weekend fri,sat,sun"))
        .containsPattern("1 schedule uses it; [45] slots of the next 30 days move");
    assertThat(server.ok("calendar create it --zone UTC --weekend fri,sat,sun"))
        .isEqualTo("calendar it version 2 is saved\n");
    assertThat(server.ok("calendar delete it --dry-run"))
        .isEqualTo("would not be deleted: it is in use\nschedule daily\n");
    assertThat(
            server.ok(
                "quiet-hours create night --zone UTC --window 22:00-07:00 --action coalesce"
                    + " --everything --dry-run"))
        .startsWith("would be created\n1 schedule uses it; ");
    assertThat(server.ok("quiet-hours list")).doesNotContain("night");
    assertThat(server.ok("freeze --until now+3d --reason move --dry-run"))
        .startsWith("everything would be frozen until ")
        .contains("\n1 schedule uses it; ");
    assertThat(server.ok("thaw --dry-run")).isEqualTo("nothing was frozen\n");
    assertThat(server.ok("freeze --until now+3d --reason move")).contains("\n1 schedule uses it; ");
    assertThat(server.ok("thaw --dry-run"))
        .startsWith("would thaw everything\n1 schedule uses it; ");
    assertThat(server.ok("thaw")).startsWith("thawed everything\n1 schedule uses it; ");
  }

  @Test
  void quiet_hours_and_freezes_come_and_go() throws Exception {
    assertThat(
            server.ok(
                "quiet-hours create weekend --zone UTC --window sat,sun␣00:00-24:00 --window"
                    + " 22:00-06:00 --action skip --tag reports"))
        .isEqualTo("quiet hours weekend version 1 are saved\n");
    assertThat(server.ok("quiet-hours show weekend")).contains("00:00-24:00 on ", "tags reports");
    assertThat(server.ok("freeze --until now+2h --reason migration"))
        .startsWith("everything is frozen until ")
        .endsWith("; 'carillon thaw' ends it\n");
    server.ok("freeze --until now+2h --reason closing --tag billing");
    assertThat(server.ok("quiet-hours list")).contains("freeze", "freeze:billing", "weekend");
    assertThat(server.ok("thaw")).isEqualTo("thawed everything\nstill frozen: tag billing\n");
    assertThat(server.ok("thaw --tag billing")).isEqualTo("thawed tag billing\n");
    assertThat(server.ok("thaw")).isEqualTo("nothing was frozen\n");
    assertThat(server.run("freeze --until now-2h --reason late").err())
        .contains("a freeze ends in the future");
    assertThat(server.ok("quiet-hours delete weekend --yes"))
        .isEqualTo("quiet hours weekend are deleted\n");
  }
}
