package dev.carillon.time.business;

import java.time.Instant;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Writes holidays as all-day events. */
final class IcsWriter {
  private static final DateTimeFormatter DATE = DateTimeFormatter.BASIC_ISO_DATE;
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final int FIRST_LEAP_YEAR = 1972;

  private final StringBuilder file = new StringBuilder();
  private final String stamp;

  IcsWriter(Instant stamp) {
    this.stamp = STAMP.format(stamp);
  }

  String write(BusinessCalendar calendar) {
    line("BEGIN:VCALENDAR");
    line("VERSION:2.0");
    line("PRODID:-//Carillon//Holidays//EN");
    line("X-WR-CALNAME:" + IcsText.escape(calendar.name()));
    List<BusinessCalendar> sources =
        calendar.parts().isEmpty() ? List.of(calendar) : calendar.parts();
    var single = new TreeMap<LocalDate, String>();
    var yearly = new TreeMap<MonthDay, String>();
    for (BusinessCalendar source : sources) {
      source.holidays().forEach(single::putIfAbsent);
      source.recurringHolidays().forEach(yearly::putIfAbsent);
    }
    single.forEach(
        (date, name) -> {
          if (!calendar.isBusinessDay(date)) {
            write(date, name, List.of());
          }
        });
    yearly.forEach((day, name) -> write(calendar, day, name));
    line("END:VCALENDAR");
    return file.toString();
  }

  private void write(BusinessCalendar calendar, MonthDay day, String name) {
    List<String> workedOn =
        calendar.extraWorkingDays().keySet().stream()
            .filter(date -> MonthDay.from(date).equals(day) && calendar.isBusinessDay(date))
            .map(date -> "EXDATE;VALUE=DATE:" + DATE.format(date))
            .toList();
    var more = new ArrayList<>(List.of("RRULE:FREQ=YEARLY"));
    more.addAll(workedOn);
    write(day.atYear(FIRST_LEAP_YEAR), name, more);
  }

  private void write(LocalDate date, String name, List<String> more) {
    line("BEGIN:VEVENT");
    line("UID:%s-%s@carillon".formatted(DATE.format(date), more.isEmpty() ? "once" : "yearly"));
    line("DTSTAMP:" + stamp);
    line("DTSTART;VALUE=DATE:" + DATE.format(date));
    line("DTEND;VALUE=DATE:" + DATE.format(date.plusDays(1)));
    more.forEach(this::line);
    line("SUMMARY:" + IcsText.escape(name));
    line("TRANSP:TRANSPARENT");
    line("END:VEVENT");
  }

  private void line(String text) {
    IcsText.appendFolded(file, text);
  }
}
