package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.DetailView;
import dev.carillon.cli.console.HumanText;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.Palette.Style;
import dev.carillon.cli.console.Table;
import dev.carillon.cli.console.Table.Cell;
import dev.carillon.cli.console.Table.Column;
import dev.carillon.cli.console.TableLayout;
import dev.carillon.cli.console.TerminalText;
import dev.carillon.cli.remote.CommandHints;
import java.time.Instant;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/** Shows schedules to people. */
final class ScheduleText {
  /* The fields that have lines of their own, or that are not shown. */
  private static final Pattern SHOWN_OTHERWISE =
      Pattern.compile(
          "key|status|version|pauseReason|pausedUntil|comingPause|next|lastRun|recent|warnings|timing"
              + "|payload|jitter|jitterMode|createdAt|createdBy|updatedAt|updatedBy");

  private ScheduleText() {}

  static final TableLayout LIST =
      new TableLayout()
          .text("KEY", "/key")
          .state("STATUS", "/status")
          .number("VERSION", "/version")
          .text("TIMING", schedule -> timing(schedule.path("timing")))
          .text("TARGET", "/target")
          .word("NEXT", ScheduleText::next)
          .state("LAST RUN", "/lastRun/state")
          .textIfAny("PAUSED BECAUSE", ScheduleText::pause);

  static void show(JsonNode schedule, Output output) {
    output.line(
        "%s  %s%s"
            .formatted(
                output.paint(Style.STRONG, TerminalText.line(Json.text(schedule, "/key"))),
                output.word(Json.text(schedule, "/status")),
                version(schedule)));
    String pause = pause(schedule, output);
    if (!pause.isEmpty()) {
      boolean coming = schedule.path("comingPause").isObject();
      output.line((coming ? "will pause: " : "paused: ") + TerminalText.line(pause));
    }
    for (JsonNode warning : schedule.path("warnings")) {
      output.line("warning: " + CommandHints.line(warning, "/message"));
    }
    output.line("");
    details(schedule, output).print(output);
  }

  private static DetailView details(JsonNode schedule, Output output) {
    var detailView =
        new DetailView().add("timing", TerminalText.line(timing(schedule.path("timing"))));
    for (Map.Entry<String, JsonNode> field : schedule.properties()) {
      JsonNode value = field.getValue();
      if (!SHOWN_OTHERWISE.matcher(field.getKey()).matches() && !HumanText.isNothing(value)) {
        detailView.add(HumanText.label(field.getKey()), value(field.getKey(), value, output));
      }
    }
    if (!HumanText.isNothing(schedule.path("payload"))) {
      detailView.add("payload", HumanText.json(schedule.path("payload")));
    }
    detailView.add("jitter", jitter(schedule));
    detailView.add("created", output.stamp(schedule, "/createdAt", "/createdBy"));
    detailView.add("updated", output.stamp(schedule, "/updatedAt", "/updatedBy"));
    detailView.add("next", moments(dues(schedule), output));
    return detailView.add("recent", recent(schedule.path("recent")));
  }

  private static String version(JsonNode schedule) {
    String version = Json.text(schedule, "/version");
    return version.isEmpty() ? "" : "  version " + version;
  }

  private static String value(String name, JsonNode value, Output output) {
    return name.endsWith("At") && value.isTextual()
        ? output.when(value, "")
        : HumanText.value(value);
  }

  /* The reason, from when if that is to come, and until when. */
  private static String pause(JsonNode schedule, Output output) {
    return Json.instant(schedule, "/comingPause/from")
        .map(from -> comingPause(schedule.path("comingPause"), from, output))
        .orElseGet(() -> currentPause(schedule, output));
  }

  private static String comingPause(JsonNode pause, Instant from, Output output) {
    String until = Json.instant(pause, "/until").map(end -> ", until %s".formatted(end)).orElse("");
    return "%s (from %s, %s%s)"
        .formatted(Json.text(pause, "/reason"), from, output.ages().of(from), until);
  }

  private static String currentPause(JsonNode schedule, Output output) {
    String reason = Json.text(schedule, "/pauseReason");
    return Json.instant(schedule, "/pausedUntil")
        .map(until -> "%s (until %s, %s)".formatted(reason, until, output.ages().of(until)))
        .orElse(reason);
  }

  private static String jitter(JsonNode schedule) {
    String jitter = HumanText.text(Json.text(schedule, "/jitter"));
    return jitter.isEmpty() || jitter.equals("0s")
        ? ""
        : jitter + " " + Json.text(schedule, "/jitterMode");
  }

  static String timing(JsonNode timing) {
    String zone = Json.text(timing, "/zone");
    String suffix = zone.isEmpty() || zone.equals("UTC") ? "" : " " + zone;
    if (timing.has("cron")) {
      return Json.text(timing, "/cron") + suffix;
    }
    if (timing.has("every")) {
      boolean paced = Json.text(timing, "/after").equals("finish");
      String length = HumanText.text(Json.text(timing, "/every"));
      return "every " + length + suffix + (paced ? " after the last finished" : "");
    }
    String calendar = Json.text(timing, "/calendar");
    if (timing.has("businessDay")) {
      return "business day %s at %s, %s%s"
          .formatted(
              Json.text(timing, "/businessDay"), Json.text(timing, "/time"), calendar, suffix);
    }
    if (timing.has("businessDaysAfter")) {
      return "%s business days after %s at %s, %s%s"
          .formatted(
              Json.text(timing, "/businessDaysAfter"),
              Json.text(timing, "/date"),
              Json.text(timing, "/time"),
              calendar,
              suffix);
    }
    if (!calendar.isEmpty()) {
      String offset = Json.text(timing, "/offset");
      String distance = offset.equals("PT0S") ? "" : " " + offset;
      return "at %s%s, %s%s".formatted(Json.text(timing, "/at"), distance, calendar, suffix);
    }
    return timing.has("at") ? "at " + Json.text(timing, "/at") : HumanText.value(timing);
  }

  private static String next(JsonNode schedule, Output output) {
    JsonNode next = dues(schedule);
    return next.isArray() ? moment(next.path(0), output) : output.when(next, "");
  }

  /** Return when the next slots are due; of servers that do not say so, the slots. */
  static JsonNode dues(JsonNode schedule) {
    return schedule.has("nextDue") ? schedule.path("nextDue") : schedule.path("next");
  }

  static String moments(JsonNode next, Output output) {
    if (!next.isArray()) {
      return "";
    }
    var moments = new StringJoiner(", ").setEmptyValue("-");
    next.forEach(each -> moments.add(moment(each, output)));
    return moments.toString();
  }

  /* A fire is a slot, or an object that has one. */
  private static String moment(JsonNode fire, Output output) {
    return fire.isObject() ? output.when(fire, "/slot") : output.when(fire, "");
  }

  private static String recent(JsonNode states) {
    var marks = new StringBuilder();
    for (JsonNode each : states) {
      String state = each.isObject() ? Json.text(each, "/state") : each.asText();
      marks.append(
          switch (state) {
            case "succeeded" -> "✓";
            case "failed" -> "✗";
            case "running" -> "▶";
            case "pending" -> "·";
            case "canceled", "skipped" -> "-";
            default -> "?";
          });
    }
    return marks.toString();
  }

  /** Print {@code fires}: what happened at past slots, and what will at future ones. */
  static void fires(JsonNode fires, Output output, Instant now) {
    var table =
        new Table(
            Column.word("SLOT"),
            Column.word("LOCAL"),
            Column.word("WHEN"),
            Column.word("DECISION"),
            Column.text("REASON"));
    for (JsonNode fire : fires) {
      table.add(
          new Cell(
              Json.text(fire, "/slot"),
              Json.instant(fire, "/slot").filter(now::isAfter).isPresent()
                  ? Style.FAINT
                  : Style.PLAIN),
          Cell.of(Json.text(fire, "/local")),
          Cell.of(output.when(fire, "/dueAt")),
          Cell.word(Json.text(fire, "/decision").replace('_', ' ')),
          Cell.of(Json.text(fire, "/reason")));
    }
    output.table(table);
  }
}
