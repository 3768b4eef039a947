package dev.carillon.cli.database;

import dev.carillon.bench.Figures;
import dev.carillon.cli.console.CountText;
import dev.carillon.cli.console.TerminalText;
import dev.carillon.policy.CatchUp;
import dev.carillon.store.backup.StartForecast;
import dev.carillon.store.backup.StartForecast.Missed;
import dev.carillon.store.backup.StartForecast.Total;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What a server will do at its start, in words. */
record ForecastText(StartForecast forecast) {
  List<String> lines() {
    var lines = new ArrayList<String>();
    if (forecast.byMode().isEmpty() && forecast.pending() + forecast.running() == 0) {
      return List.of(
          "no slot was missed, and no run was on its way: a server can start at any time");
    }
    lines.add("when a server starts on it:");
    Map<CatchUp.Mode, Total> byMode = new TreeMap<>(forecast.byMode());
    byMode.forEach((mode, total) -> lines.add("  " + sentence(mode, total)));
    forecast.most().forEach(one -> lines.add("    " + sentence(one)));
    long shown = forecast.most().size();
    long all = forecast.byMode().values().stream().mapToLong(Total::schedules).sum();
    if (all > shown) {
      lines.add("    and %s more".formatted(Figures.whole(all - shown)));
    }
    if (forecast.pending() > 0) {
      lines.add(
          "  %s that waited and %s due by now: the catch-up of each schedule decides"
              .formatted(
                  CountText.of(forecast.pending(), "run", "runs"),
                  forecast.pending() == 1 ? "is" : "are"));
    }
    if (forecast.running() > 0) {
      lines.add(
          "  %s that %s at work: resubmitted or failed, as the recovery of each schedule says"
              .formatted(
                  CountText.of(forecast.running(), "run", "runs"),
                  forecast.running() == 1 ? "was" : "were"));
    }
    return lines;
  }

  private static String sentence(CatchUp.Mode mode, Total total) {
    return "%s with catch-up %s missed %s: %s"
        .formatted(
            CountText.of(total.schedules(), "schedule", "schedules"),
            mode.name().toLowerCase(Locale.ROOT),
            CountText.of(total.runs() + total.dropped(), "slot", "slots"),
            outcome(total.runs(), total.dropped()));
  }

  private static String sentence(Missed one) {
    return "%s: %s of %s"
        .formatted(
            TerminalText.line(one.key()),
            CountText.of(one.runs(), "run", "runs"),
            CountText.of(one.slots(), "slot", "slots"));
  }

  private static String outcome(long runs, long dropped) {
    if (dropped == 0) {
      return runs == 1 ? "it runs" : "all of them run";
    }
    return runs == 0
        ? "none runs, all are recorded as missed"
        : "%s, %s recorded as missed"
            .formatted(CountText.of(runs, "runs", "run"), CountText.of(dropped, "is", "are"));
  }
}
