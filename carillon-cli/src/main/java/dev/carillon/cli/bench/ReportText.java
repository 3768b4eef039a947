package dev.carillon.cli.bench;

import dev.carillon.Version;
import dev.carillon.bench.Drain;
import dev.carillon.bench.Drift;
import dev.carillon.bench.Figures;
import dev.carillon.cli.console.Palette;
import dev.carillon.cli.console.Palette.Style;
import dev.carillon.cli.console.TerminalText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints a report for people: aligned, and in colour on a terminal. */
final class ReportText {
  private static final int WIDTH = 100;
  private static final int INDENT = 16;

  private final PrintWriter out;
  private final Palette palette;

  ReportText(PrintWriter out, boolean colour) {
    this.out = out;
    this.palette = new Palette(colour);
  }

  void print(Report report) {
    ground(report.ground());
    report.drain().ifPresent(this::drain);
    report.drift().ifPresent(this::drift);
    report.growth().ifPresent(this::growth);
    out.println();
    out.println(palette.paint(Style.STRONG, "verdict"));
    report.verdicts().forEach(this::verdict);
    out.flush();
  }

  private void ground(Ground ground) {
    head(
        "ground",
        "Carillon %s on Java %s with %s processors, PostgreSQL %s %s"
            .formatted(
                Version.current(),
                Runtime.version().feature(),
                Runtime.getRuntime().availableProcessors(),
                ground.version().replaceFirst(" .*", ""),
                ground.place()));
    row("round trip", Figures.millis(ground.roundTrip()));
    row("commit", Figures.millis(ground.commit()) + ", its round trip included");
  }

  private void drain(Drain.Outcome drain) {
    out.println();
    head(
        "drain",
        Figures.whole(drain.runs()) + " due runs with an empty handler, their history kept");
    row("speed", Figures.perSecond(drain.perSecond(), "runs"));
    row("first run", Figures.millis(drain.firstMillis()) + " after the start of the node");
    row("commits", Figures.fine(drain.commits()) + " per run");
    row(
        "WAL",
        drain.walBytes().isPresent()
            ? Figures.whole(drain.walBytes().getAsDouble())
                + " bytes per run, counting all of the server's"
            : "not known: this role may not ask");
  }

  private void drift(Drift.Outcome drift) {
    out.println();
    head(
        "drift",
        "%s schedules firing at each of %s seconds"
            .formatted(Figures.whole(drift.schedules()), drift.seconds()));
    row(
        "fired",
        "%s of %s; %s skipped, %s doubled, %s early"
            .formatted(
                Figures.whole(drift.fired()),
                Figures.whole(drift.expected()),
                Figures.whole(drift.skipped()),
                Figures.whole(drift.doubled()),
                Figures.whole(drift.early())));
    row(
        "lateness",
        "p50 %s, p99 %s, max %s"
            .formatted(
                Figures.millis(drift.p50()),
                Figures.millis(drift.p99()),
                Figures.millis(drift.max())));
  }

  private void growth(Growth.Outcome growth) {
    Growth.Half without = growth.without();
    Growth.Half beside = growth.beside();
    out.println();
    head("growth", "the same beside " + Figures.whole(growth.idle()) + " idle schedules");
    columns("", "without", "beside", "ratio");
    columns(
        "drain",
        Figures.perSecond(without.perSecond(), "runs"),
        Figures.perSecond(beside.perSecond(), "runs"),
        Figures.fine(growth.kept()));
    compare("drift p50", without.drift().p50(), beside.drift().p50());
    compare("drift p99", without.drift().p99(), beside.drift().p99());
    compare("node start", without.startMillis(), beside.startMillis());
    row(
        "created in",
        "%s, %s"
            .formatted(
                Figures.seconds(growth.createSeconds()),
                Figures.perSecond(growth.idle() / growth.createSeconds(), "schedules")));
  }

  private void compare(String name, double without, double beside) {
    columns(name, Figures.millis(without), Figures.millis(beside), Figures.fine(beside / without));
  }

  private void verdict(BenchVerdict verdict) {
    Style style =
        switch (verdict.grade()) {
          case GOOD -> Style.GOOD;
          case FAIR -> Style.CARE;
          case POOR -> Style.BAD;
        };
    List<String> lines = new ArrayList<>(Wrapped.at(WIDTH - INDENT, verdict.reason()));
    verdict.advice().ifPresent(advice -> lines.addAll(Wrapped.at(WIDTH - INDENT, advice)));
    out.println(
        "  %s  %s  %s"
            .formatted(
                TerminalText.pad(verdict.measure().title(), 6),
                palette.paint(style, TerminalText.pad(verdict.grade().title(), 4)),
                lines.get(0)));
    lines.stream().skip(1).forEach(line -> out.println(" ".repeat(INDENT) + line));
  }

  private void head(String title, String text) {
    out.println(palette.paint(Style.STRONG, TerminalText.pad(title, 6)) + "  " + text);
  }

  private void row(String name, String text) {
    out.println("  " + TerminalText.pad(name, 12) + "  " + text);
  }

  private void columns(String name, String without, String beside, String ratio) {
    out.println(
        String.format(Locale.ROOT, "  %-12s  %15s  %15s  %6s", name, without, beside, ratio));
  }
}
