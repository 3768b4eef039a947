package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.Session;
import dev.carillon.time.DurationText;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How timings that follow a calendar are given as options. */
final class CalendarTimingOptions {
  private CalendarTimingOptions() {}

  static boolean isEdge(@Nullable String at) {
    return at != null && (at.strip().equals("open") || at.strip().equals("close"));
  }

  /** Refuse options that only go with such timings. */
  static void refuse(@Nullable String offset, @Nullable String date, @Nullable String time) {
    if (offset != null) {
      throw Session.wrong("--offset goes with --at open or --at close");
    }
    if (Stream.of(date, time).anyMatch(Objects::nonNull)) {
      throw Session.wrong("--date and --time go with --business-day or --business-days-after");
    }
  }

  static ObjectNode json(
      @Nullable String at,
      @Nullable String offset,
      @Nullable String businessDay,
      @Nullable String businessDaysAfter,
      @Nullable String date,
      @Nullable String time) {
    ObjectNode timing = Json.object();
    if (at != null) {
      refuse(null, date, time);
      timing.put("at", at.strip());
      Json.put(timing, "offset", offset == null ? null : offset(offset));
      return timing;
    }
    if (offset != null) {
      refuse(offset, null, null);
    }
    if (businessDay != null) {
      if (businessDay.strip().equals("last")) {
        timing.put("businessDay", "last");
      } else {
        timing.put("businessDay", number("--business-day", businessDay, "3, -2 or last"));
      }
    } else if (businessDaysAfter != null) {
      timing.put(
          "businessDaysAfter", number("--business-days-after", businessDaysAfter, "5 or -5"));
    }
    Json.put(timing, "date", date);
    Json.put(timing, "time", time);
    return timing;
  }

  private static long number(String option, String text, String examples) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      throw Session.wrong("%s: '%s' is no number; use %s", option, text.strip(), examples);
    }
  }

  private static String offset(String text) {
    String bare = text.strip();
    boolean earlier = bare.startsWith("-");
    String length = earlier || bare.startsWith("+") ? bare.substring(1) : bare;
    try {
      return (earlier ? "-" : "") + DurationText.parse(length);
    } catch (IllegalArgumentException e) {
      throw Session.wrong("--offset: %s", String.valueOf(e.getMessage()));
    }
  }

  /**
   * Make --calendar that of the timing; with --roll it is that of the schedule too, which rolls
   * what the timing says.
   */
  static void place(ObjectNode schedule) {
    JsonNode calendar = schedule.path("calendar");
    if (calendar.hasNonNull("name") && schedule.path("timing") instanceof ObjectNode timing) {
      timing.put("calendar", calendar.path("name").asText());
      if (!calendar.has("roll")) {
        schedule.remove("calendar");
      }
    }
  }
}
