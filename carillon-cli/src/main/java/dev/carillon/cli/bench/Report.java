package dev.carillon.cli.bench;

import dev.carillon.bench.Drain;
import dev.carillon.bench.Drift;
import dev.carillon.bench.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a bench found. */
public record Report(
    Ground ground,
    Optional<Drain.Outcome> drain,
    Optional<Drift.Outcome> drift,
    Optional<Growth.Outcome> growth) {

  List<BenchVerdict> verdicts() {
    var verdicts = new ArrayList<BenchVerdict>();
    drain.ifPresent(found -> verdicts.add(BenchVerdict.of(found, ground)));
    drift.ifPresent(found -> verdicts.add(BenchVerdict.of(found, ground)));
    growth.ifPresent(found -> verdicts.add(BenchVerdict.of(found)));
    return verdicts;
  }

  /** Return which promises were seen broken, in words; none of them ever should be. */
  public List<String> broken() {
    var broken = new ArrayList<String>();
    drain.ifPresent(found -> check("drain", found, broken));
    drift.ifPresent(found -> check("drift", found, broken));
    growth.ifPresent(
        found -> {
          check("growth, without idle schedules", found.without(), broken);
          check("growth, beside idle schedules", found.beside(), broken);
        });
    return broken;
  }

  private static void check(String where, Growth.Half half, List<String> broken) {
    half.rounds().forEach(round -> check(where, round, broken));
    check(where, half.drift(), broken);
  }

  private static void check(String where, Drain.Outcome drain, List<String> broken) {
    count(drain.missing(), "run never ended", "runs never ended", where, broken);
    count(drain.doubled(), "run was started twice", "runs were started twice", where, broken);
  }

  private static void check(String where, Drift.Outcome drift, List<String> broken) {
    String missing = "missing without a recorded reason";
    count(drift.missing(), "fire is " + missing, "fires are " + missing, where, broken);
    count(drift.doubled(), "fire was doubled", "fires were doubled", where, broken);
    count(drift.early(), "fire was early", "fires were early", where, broken);
  }

  private static void count(
      long count, String one, String many, String where, List<String> broken) {
    if (count > 0) {
      broken.add("%s: %s %s".formatted(where, Figures.whole(count), count == 1 ? one : many));
    }
  }
}
