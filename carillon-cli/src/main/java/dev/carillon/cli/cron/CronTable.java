package dev.carillon.cli.cron;

import dev.carillon.cli.console.Palette;
import dev.carillon.cli.console.Palette.Style;
import dev.carillon.cli.console.TerminalText;
import dev.carillon.time.Fire;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** Prints a timing for people: aligned, and in colour on a terminal. */
final class CronTable {
  private static final DateTimeFormatter MINUTES =
      DateTimeFormatter.ofPattern("EEE uuuu-MM-dd HH:mm xxx", Locale.ENGLISH);
  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("EEE uuuu-MM-dd HH:mm:ss xxx", Locale.ENGLISH);

  private final Palette palette;

  CronTable(boolean colour) {
    this.palette = new Palette(colour);
  }

  void print(CronReport report, PrintWriter out) {
    out.println(palette.paint(Style.STRONG, report.description()));
    if (!report.resolved().equals(report.expression())) {
      out.println(report.expression() + " stands for " + report.resolved());
    }
    out.println();
    if (report.fires().isEmpty()) {
      out.println("  " + nothing(report));
    } else {
      printFires(report, out);
    }
    if (!report.warnings().isEmpty()) {
      out.println();
      report
          .warnings()
          .forEach(
              warning ->
                  out.println(
                      palette.paint(Style.CARE, "warning " + warning.code())
                          + ": "
                          + warning.message()));
    }
  }

  private void printFires(CronReport report, PrintWriter out) {
    List<Fire> fires = report.fires();
    boolean seconds = fires.stream().anyMatch(fire -> fire.local().getSecond() != 0);
    DateTimeFormatter format = seconds ? SECONDS : MINUTES;
    int width = fires.get(0).local().format(format).length();
    out.println("  " + palette.paint(Style.FAINT, TerminalText.pad("local time", width) + "  UTC"));
    for (int i = 0; i < fires.size(); i++) {
      Fire fire = fires.get(i);
      int earlier = report.stretch().back() ? i + 1 : i - 1;
      boolean first = earlier < 0 || earlier == fires.size();
      String mark = fire.note().orElseGet(() -> first ? "" : shift(fires.get(earlier), fire));
      out.println(
          "  "
              + TerminalText.pad(fire.local().format(format), width)
              + "  "
              + fire.slot()
              + (mark.isEmpty() ? "" : "  " + palette.paint(Style.CARE, "! " + mark)));
    }
    if (report.more() > 0) {
      out.println("  " + String.format(Locale.ROOT, "... and %,d more", report.more()));
    }
  }

  private static String nothing(CronReport report) {
    CronReport.Stretch asked = report.stretch();
    return asked.open()
        ? "no fires " + (asked.back() ? "before " : "after ") + asked.from()
        : "no fires between " + asked.from() + " and " + asked.until();
  }

  /** Say how the clocks changed from one fire to the next; nothing if they did not. */
  private static String shift(Fire earlier, Fire fire) {
    int seconds =
        fire.local().getOffset().getTotalSeconds() - earlier.local().getOffset().getTotalSeconds();
    if (seconds == 0) {
      return "";
    }
    String amount = Duration.ofSeconds(Math.abs(seconds)).toString().substring(2);
    return "clocks " + (seconds > 0 ? "forward " : "back ") + amount.toLowerCase(Locale.ROOT);
  }
}
