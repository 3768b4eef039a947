package dev.carillon.cli.forecast;

import dev.carillon.model.DroppedSlots;
import dev.carillon.model.SimulatedRun;
import dev.carillon.model.SimulatedRun.Outcome;
import dev.carillon.model.SimulatedSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Draws a simulation as SVG: a row for each schedule, a bar for each run. */
final class TimelineSvg {
  private static final int LABEL = 220;
  private static final int WIDTH = 1_000;
  private static final int LONGEST_TICK = 90;
  private static final int ROW = 22;
  private static final int TOP = 34;
  private static final int MARGIN = 14;
  private static final int MAX_LABEL = 30;
  private static final int MAX_TICKS = 8;
  private static final List<Duration> TICKS =
      List.of(
          Duration.ofSeconds(1),
          Duration.ofSeconds(10),
          Duration.ofMinutes(1),
          Duration.ofMinutes(5),
          Duration.ofMinutes(15),
          Duration.ofHours(1),
          Duration.ofHours(3),
          Duration.ofHours(6),
          Duration.ofDays(1),
          Duration.ofDays(7),
          Duration.ofDays(28));

  private final Timeline timeline;
  private final Instant now;
  private final StringBuilder svg = new StringBuilder();

  private TimelineSvg(Timeline timeline, Instant now) {
    this.timeline = timeline;
    this.now = now;
  }

  /** Draw {@code timeline}; runs that start after {@code now} have an outline only. */
  static String draw(Timeline timeline, Instant now) {
    return new TimelineSvg(timeline, now).draw();
  }

  private String draw() {
    int height = TOP + ROW * timeline.schedules().size() + MARGIN;
    int width = LABEL + WIDTH + MARGIN;
    line(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
            + " font-family=\"sans-serif\" font-size=\"12\">",
        width, height, width, height);
    line("<title>%s</title>", escaped("Runs from " + timeline.from() + " to " + timeline.to()));
    line("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", width, height);
    timeline.outages().forEach(outage -> outage(outage, height));
    ticks(height);
    if (isInPeriod(now)) {
      line(
          "<line x1=\"%s\" y1=\"%d\" x2=\"%s\" y2=\"%d\""
              + " stroke=\"#c0392b\"><title>now</title></line>",
          x(now), TOP - 6, x(now), height - MARGIN);
    }
    for (int row = 0; row < timeline.schedules().size(); row++) {
      row(timeline.schedules().get(row), TOP + row * ROW);
    }
    line("</svg>");
    return svg.toString();
  }

  private void outage(Timeline.Span outage, int height) {
    line(
        "<rect x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\""
            + " fill=\"#eeeeee\"><title>%s</title></rect>",
        x(outage.from()),
        TOP - 6,
        width(outage.from(), outage.to()),
        height - TOP - MARGIN + 6,
        escaped("no node from " + outage.from() + " to " + outage.to()));
  }

  private void ticks(int height) {
    Duration period = Duration.between(timeline.from(), timeline.to());
    Duration tick =
        TICKS.stream()
            .filter(each -> period.dividedBy(each) <= MAX_TICKS)
            .findFirst()
            .orElse(Duration.ofDays(91));
    long step = tick.toSeconds();
    long first = Math.floorDiv(timeline.from().getEpochSecond() + step - 1, step) * step;
    for (long second = first; second <= timeline.to().getEpochSecond(); second += step) {
      Instant at = Instant.ofEpochSecond(second);
      if (at.isBefore(timeline.from())) {
        continue;
      }
      String text = at.toString();
      String label =
          step >= Duration.ofDays(1).toSeconds()
              ? text.substring(0, 10)
              : text.substring(5, 10) + " " + text.substring(11, step < 60 ? 19 : 16);
      line(
          "<line x1=\"%s\" y1=\"%d\" x2=\"%s\" y2=\"%d\" stroke=\"#dddddd\"/>",
          x(at), TOP - 6, x(at), height - MARGIN);
      line(
          "<text x=\"%s\" y=\"%d\" text-anchor=\"%s\" fill=\"#666666\">%s</text>",
          x(at),
          TOP - 14,
          place(at) > WIDTH - LONGEST_TICK / 2.0 ? "end" : "middle",
          escaped(label));
    }
  }

  private void row(SimulatedSchedule schedule, int y) {
    line(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s<title>%s</title></text>",
        LABEL - 10, y + 15, escaped(shortened(schedule.key())), escaped(schedule.key()));
    line(
        "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#eeeeee\"/>",
        LABEL, y + ROW - 1, LABEL + WIDTH, y + ROW - 1);
    schedule.dropped().forEach(slots -> dropped(slots, y));
    schedule.runs().forEach(run -> run(run, y));
  }

  private void dropped(DroppedSlots slots, int y) {
    line(
        "<rect x=\"%s\" y=\"%d\" width=\"%s\" height=\"2\" fill=\"%s\"><title>%s</title></rect>",
        x(slots.first()),
        y + 10,
        width(slots.first(), slots.last()),
        color(slots.reason()),
        escaped(
            "%s: %s slots from %s to %s"
                .formatted(slots.why(), slots.slots(), slots.first(), slots.last())));
  }

  private static String color(DroppedSlots.Reason reason) {
    return switch (reason) {
      case CALENDAR -> "#8e44ad";
      case QUIET_HOURS -> "#2c3e50";
      case MERGED -> "#16a085";
      default -> "#999999";
    };
  }

  /* From its slot to its due time. */
  private void moved(SimulatedRun run, int y) {
    Instant first = run.slot().isBefore(run.dueAt()) ? run.slot() : run.dueAt();
    Instant last = run.slot().isBefore(run.dueAt()) ? run.dueAt() : run.slot();
    line(
        "<line x1=\"%s\" y1=\"%d\" x2=\"%s\" y2=\"%d\" stroke=\"#8e44ad\" stroke-dasharray=\"3"
            + " 2\"><title>%s</title></line>",
        x(first),
        y + 18,
        x(last),
        y + 18,
        escaped("moved: slot %s is due at %s".formatted(run.slot(), run.dueAt())));
  }

  private void run(SimulatedRun run, int y) {
    if (!run.slot().equals(run.dueAt())) {
      moved(run, y);
    }
    Instant start = run.startedAt().orElse(run.dueAt());
    String color = color(run.outcome());
    boolean toCome = start.isAfter(now);
    line(
        "<rect x=\"%s\" y=\"%d\" width=\"%s\" height=\"14\" rx=\"2\" fill=\"%s\""
            + " stroke=\"%s\"><title>%s</title></rect>",
        x(start),
        y + 4,
        width(start, run.finishedAt()),
        toCome ? "none" : color,
        color,
        escaped(
            "%s, slot %s%s"
                .formatted(
                    Timeline.word(run.outcome()),
                    run.slot(),
                    run.reason().isEmpty() ? "" : ", " + run.reason())));
  }

  private static String color(Outcome outcome) {
    return switch (outcome) {
      case SUCCEEDED -> "#2e7d32";
      case FAILED -> "#c62828";
      case CANCELED -> "#ef6c00";
      case SKIPPED -> "#9e9e9e";
    };
  }

  private static String shortened(String key) {
    return key.codePointCount(0, key.length()) <= MAX_LABEL
        ? key
        : key.substring(0, key.offsetByCodePoints(0, MAX_LABEL - 1)) + "…";
  }

  private boolean isInPeriod(Instant instant) {
    return !instant.isBefore(timeline.from()) && instant.isBefore(timeline.to());
  }

  private String x(Instant instant) {
    return number(LABEL + place(instant));
  }

  private String width(Instant from, Instant to) {
    return number(Math.max(2, place(to) - place(from)));
  }

  /* What lies before or after the period is drawn at its edge. */
  private double place(Instant instant) {
    double whole = Duration.between(timeline.from(), timeline.to()).toMillis();
    double part = Duration.between(timeline.from(), instant).toMillis();
    return Math.max(0, Math.min(1, part / whole)) * WIDTH;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private void line(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  /** Return {@code text} as XML shows it; characters that XML does not have become a sign. */
  static String escaped(String text) {
    var escaped = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&apos;");
                default -> escaped.appendCodePoint(isXml(c) ? c : '\uFFFD');
              }
            });
    return escaped.toString();
  }

  private static boolean isXml(int c) {
    return c == '\t'
        || c == '\n'
        || (c >= 0x20 && c <= 0xD7FF)
        || (c >= 0xE000 && c <= 0xFFFD)
        || c >= 0x10000;
  }
}
