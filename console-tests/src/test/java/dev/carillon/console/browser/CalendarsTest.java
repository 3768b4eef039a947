package dev.carillon.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithConsole.class)
class CalendarsTest {
  private final RealServer server;
  private final Chromium browser;

  CalendarsTest(RealServer server, Chromium browser) {
    this.server = server;
    this.browser = browser;
  }

  private Console at(String view) {
    return new Console(browser, server.url()).signedIn(RealServer.ADMIN, view);
  }

  private void italian(String name) {
    server.put(
        "/calendars/" + name,
        """
        {"zone": "Europe/Rome", "description": "Italian holidays", "coverageUntil": "2027-12-31",
         "hours": {"monday": ["09:00-18:00"], "tuesday": ["09:00-18:00"], "wednesday": ["09:00-18:00"], "thursday": ["09:00-18:00"], "friday": ["09:00-18:00"]},
         "recurringHolidays": [{"day": "01-01", "name": "New Year's Day"}, {"day": "06-02", "name": "Republic Day"}, {"day": "12-25", "name": "Christmas"}],
         "holidays": [{"date": "2026-04-06", "name": "Easter Monday"}, {"date": "2027-03-29", "name": "Easter Monday"}],
         "halfDays": [{"date": "2026-12-24", "name": "Christmas Eve", "closes": "13:00"}],
         "extraWorkingDays": [{"date": "2026-12-19", "name": "stocktaking"}]}
        """);
  }

  private void uses(String key, String calendar) {
    server.put(
        "/schedules/" + key,
        "{\"target\": \"noop\", \"timing\": {\"cron\": \"0 14 * * *\", \"zone\": \"Europe/Rome\"}, \"calendar\": {\"name\": \"%s\", \"roll\": \"following\"}}"
            .formatted(calendar));
  }

  private static void writes(Console console, String field, String text) {
    console.until("document.querySelector('[name=%s]') !== null".formatted(field));
    console.evaluate(
        "(() => { const f = document.querySelector('[name=%s]'); f.value = '%s'; f.dispatchEvent(new Event('input', {bubbles: true})); })()"
            .formatted(field, text));
  }

  @Test
  void a_year_shows_holidays_half_days_and_who_uses_it() {
    italian("it");
    uses("closing", "it");
    try (var console = at("calendar?name=it&year=2026")) {
      console.sees(
          "weekend Saturday and Sunday · open 09:00-18:00 · Europe/Rome · known until 2027-12-31 · used by 1 schedule");
      console.until("document.querySelectorAll('.year .day').length === 365");
      console.until("document.querySelectorAll('.year .day.holiday').length === 4");
      console.until(
          "document.querySelector('.day.half_day').title === '2026-12-24: half day, Christmas Eve, 09:00-13:00'");
      console.sees(".special", "stocktaking").sees("closing").isTitled("it · Carillon");
      console.clicks("a[rel=next]").isAt("year=2027").sees(".special", "Mon 29 Mar");
    }
  }

  @Test
  void a_month_has_names_and_a_day_says_why_by_arrow_keys() {
    italian("it-month");
    try (var console = at("calendar?name=it-month&year=2026")) {
      console.clicksText("December").isAt("month=2026-12").sees(".day.big", "Christmas");
      console.evaluate("document.querySelector('[data-date=\"2026-12-24\"]').focus()");
      console.presses("ArrowDown", "ArrowUp", "Enter");
      console.sees(".chosen-day", "2026-12-24: half day, Christmas Eve.").isAt("day=2026-12-24");
      console.goesBack().seesNo(".chosen-day").clicksText("The year").sees(".year", "January");
    }
  }

  @Test
  void an_edit_shows_what_moves_before_it_is_saved_and_becomes_a_version() {
    italian("it-edit");
    uses("closing-edit", "it-edit");
    try (var console = at("calendar?name=it-edit")) {
      console.clicksText("Edit").sees("will become version 2");
      writes(
          console,
          "holidays",
          "2026-04-06 Easter Monday\\n2027-03-29 Easter Monday\\n2026-12-07 bridge day");
      console.clicksText("Show what changes").sees(".editor-preview", "− 1 business days");
      console
          .sees(".editor-preview", "2026-12-07 business day → holiday")
          .sees(".editor-preview", "closing-edit");
      console.types("[name=reason]", "long weekend").clicksText("Save version 2");
      console.sees(".toasts", "saved as version 2").sees(".versions", "long weekend");
      console
          .clicksText("version 2")
          .sees(".versions", "holidays/2026-12-07")
          .sees(".versions", "nothing → bridge day");
      console
          .clicksText("Bring back…")
          .sees("dialog", "+ 1 business days")
          .clicksText("Bring it back");
      console.sees(".toasts", "saved as version 3");
    }
    assertThat(server.get("/calendars/it-edit").path("holidays")).hasSize(2);
  }

  @Test
  void a_mistake_is_told_at_its_line() {
    italian("it-wrong");
    try (var console = at("calendar?name=it-wrong&edit=1").expectingRefusal(422)) {
      writes(console, "holidays", "2026-04-06 Easter Monday\\n2026-13-40 never");
      writes(console, "zone", "Europe/Nowhere");
      console.clicksText("Show what changes").sees("#calendar-holidays-says", "line 2: ");
      console.sees("#calendar-zone-says", "Europe/Nowhere").isAccessible();
    }
  }

  @Test
  void what_somebody_else_saved_meanwhile_is_not_overwritten() {
    italian("it-raced");
    try (var console = at("calendar?name=it-raced&edit=1").expectingRefusal(412)) {
      console.sees("will become version 2");
      server.put("/calendars/it-raced", "{\"zone\": \"Europe/Rome\", \"description\": \"other\"}");
      console
          .clicksText("Show what changes")
          .sees(".editor-preview", "Somebody else saved it meanwhile.");
    }
  }

  @Test
  void holidays_of_a_country_are_imported_after_a_look() {
    try (var console = at("calendars")) {
      console.clicksText("Import a country…").types("#ask-name", "holidays-at");
      console.chooses("#ask-country", "AT").clicksText("Show what changes");
      console.sees("dialog", "into holidays-at?").clicksText("Import");
      console.isAt("/console/calendar?name=holidays-at").sees(".special", "is a");
    }
    assertThat(server.get("/calendars/holidays-at").path("holidays").size()).isGreaterThan(10);
  }

  @Test
  void a_calendar_is_made_by_hand() {
    try (var console = at("calendars")) {
      console.clicksText("New calendar…").types("#ask-name", "factory").presses("Enter");
      console.isAt("new=factory");
      writes(console, "recurringHolidays", "08-15 Ferragosto");
      console.clicksText("Show what changes").sees(".editor-preview", "Nothing uses it yet.");
      console.clicksText("Save version 1").sees(".toasts", "factory is saved as version 1.");
      console
          .isAt("/console/calendar?name=factory")
          .clicksText("Delete…")
          .sees("dialog", "Delete factory?");
      console
          .clicksText("Delete")
          .sees(".toasts", "factory is deleted.")
          .isAt("/console/calendars");
    }
  }

  @Test
  void quiet_hours_are_made_changed_and_taken_back() {
    try (var console = at("calendars").expectingRefusal(422)) {
      console.sees("quiet-hours rule").clicksText("New quiet hours…").types("#ask-name", "night");
      console.evaluate("document.querySelector('#ask-windows').value = 'mon-fri 22:00-27:00'");
      console.clicks("dialog [type=submit]").sees("dialog .field-error", "27:00");
      console.evaluate("document.querySelector('#ask-windows').value = 'mon-fri 22:00-07:00'");
      console.clicks("dialog [type=submit]").sees(".toasts", "night is saved.");
      console.sees("[data-name=night]", "runs wait until it is over, each of them");
      console.until("document.querySelectorAll('[data-name=night] .fill-skip').length === 10");
      console
          .clicks("[data-name=night] .quiet-actions button:last-child")
          .sees(".toasts", "night is deleted.")
          .seesNo("[data-name=night]");
      console.clicks(".toast:last-child button").sees(".toasts", "Taken back.");
    }
    assertThat(server.get("/quiet-hours/night").at("/windows/0/days")).hasSize(5);
  }

  @Test
  void everything_is_frozen_now_and_thawed() {
    try (var console = at("calendars")) {
      console.clicksText("Freeze…").until("document.querySelector('dialog.ask').open");
      console.evaluate(
          "document.querySelector('#ask-until').value = new Date(Date.now() + 172800000).toISOString().slice(0, 16)");
      console.evaluate("document.querySelector('#ask-tags').value = 'frozen-tag'");
      console.types("#ask-reason", Seed.HOSTILE).presses("Enter");
      console.sees(".toasts", "Schedules with frozen-tag are frozen.");
      console.sees(".frozen", "until").sees(".frozen", Seed.HOSTILE).isAccessible();
      console.isPhotographed(Path.of("target/screenshots/frozen.png"));
      console
          .clicksText("Thaw")
          .sees(".toasts", "Schedules with frozen-tag run again.")
          .seesNo(".frozen");
    }
  }

  @Test
  void one_freeze_beside_another_is_not_taken_back_with_it_and_both_thaw_and_return_together() {
    try (var console = at("calendars")) {
      freezes(console, 2, "the audit").sees(".toasts", "are frozen.");
      freezes(console, 3, "the move").sees(".frozen", "the move");
      console.sees(".frozen", "the audit").sees(".toasts", "are frozen.");
      String undo =
          "[...document.querySelectorAll('.toast button')].filter(b => b.textContent === 'Undo').length";
      assertThat(console.evaluate(undo).asInt()).isZero();
      console.clicksText("Thaw").seesNo(".frozen").clicks(".toast:last-child button");
      console.sees(".frozen", "the audit").sees(".frozen", "the move");
      console.clicksText("Thaw").seesNo(".frozen");
    }
  }

  private static Console freezes(Console console, int days, String reason) {
    console.clicksText("Freeze…").types("#ask-reason", reason).types("#ask-tags", "frozen-twice");
    console.evaluate(
        "document.querySelector('#ask-until').value = new Date(Date.now() + %s * 86400000).toISOString().slice(0, 16)"
            .formatted(days));
    return console.presses("Enter").seesNo("dialog.ask[open]");
  }

  @Test
  void a_viewer_sees_no_action() {
    italian("it-viewed");
    try (var console =
        new Console(browser, server.url()).signedIn(server.token("viewer"), "calendars")) {
      console.sees("it-viewed");
      assertThat(
              console
                  .evaluate("document.querySelectorAll('calendars-view button:not(.sort)').length")
                  .asInt())
          .isZero();
      console.opens("/console/calendar?name=it-viewed&edit=1").sees(".special", "Christmas");
      assertThat(
              console
                  .evaluate(
                      "document.querySelectorAll('calendar-view button, calendar-view .primary').length")
                  .asInt())
          .isZero();
    }
  }

  @Test
  void markup_in_names_of_days_reasons_and_descriptions_is_shown_as_text() {
    server.put(
        "/calendars/hostile?reason="
            + java.net.URLEncoder.encode(Seed.HOSTILE, java.nio.charset.StandardCharsets.UTF_8),
        "{\"zone\": \"UTC\", \"description\": \"%1$s\", \"holidays\": [{\"date\": \"2026-12-24\", \"name\": \"%1$s\"}]}"
            .formatted(Seed.HOSTILE));
    server.put(
        "/quiet-hours/hostile",
        "{\"action\": \"skip\", \"zone\": \"UTC\", \"windows\": [{\"hours\": \"01:00-02:00\"}], \"description\": \"%1$s\"}"
            .formatted(Seed.HOSTILE));
    try (var console = at("calendars")) {
      console.sees("[data-name=hostile]", Seed.HOSTILE).sees("td[data-column=name]", Seed.HOSTILE);
      console.opens("/console/calendar?name=hostile&month=2026-12&day=2026-12-24");
      console
          .sees(".chosen-day", Seed.HOSTILE)
          .sees(".versions", Seed.HOSTILE)
          .sees(".special", Seed.HOSTILE);
      assertThat(console.evaluate("document.querySelectorAll('main img').length").asInt()).isZero();
      console.isTitled("hostile · Carillon");
    }
  }

  @Test
  void they_are_accessible_in_both_themes_and_fit_every_width() {
    italian("italy");
    uses("looks", "italy");
    server.put(
        "/quiet-hours/weekends",
        "{\"action\": \"defer\", \"zone\": \"Europe/Rome\", \"windows\": [{\"days\": [\"saturday\", \"sunday\"], \"hours\": \"00:00-24:00\"}, {\"hours\": \"22:00-06:00\"}], \"tags\": [\"mail\"]}");
    try (var console = at("calendars")) {
      for (String theme : new String[] {"light", "dark"}) {
        console.prefers(theme).isWide(1280);
        console
            .opens("/console/calendars")
            .sees("italy")
            .sees("[data-name=weekends]", "mail")
            .isAccessible();
        console.isPhotographed(Path.of("target/screenshots/calendars-" + theme + ".png"));
        console.isWide(390).fitsItsWidth().isWide(1280).fitsItsWidth();
        for (String state :
            new String[] {"&year=2026", "&month=2026-12&day=2026-12-24", "&edit=1"}) {
          console
              .opens("/console/calendar?name=italy" + state)
              .until("document.querySelector('.day, .calendar-editor') !== null")
              .isAccessible();
          console.isPhotographed(
              Path.of(
                  "target/screenshots/calendar-"
                      + theme
                      + state.replace('&', '-').replace('=', '-')
                      + ".png"));
          console.isWide(390).fitsItsWidth().isWide(1280).fitsItsWidth();
        }
      }
      console
          .isWide(390)
          .opens("/console/calendar?name=italy&year=2026")
          .until("document.querySelector('.day') !== null");
      console.isPhotographed(Path.of("target/screenshots/calendar-390.png"));
    }
  }
}
