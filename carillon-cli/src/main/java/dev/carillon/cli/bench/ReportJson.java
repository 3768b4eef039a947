package dev.carillon.cli.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.Version;
import dev.carillon.bench.Drain;
import dev.carillon.bench.Drift;
import dev.carillon.cli.console.Json;
import java.io.PrintWriter;

/** Prints a report for programs. */
final class ReportJson {
  private ReportJson() {}

  static void print(Report report, PrintWriter out) {
    out.println(Json.pretty(json(report)));
    out.flush();
  }

  private static ObjectNode json(Report report) {
    ObjectNode json = Json.object().put("carillon", Version.current());
    json.put("java", Runtime.version().toString());
    json.put("processors", Runtime.getRuntime().availableProcessors());
    ground(json.putObject("ground"), report.ground());
    report.drain().ifPresent(drain -> drain(json.putObject("drain"), drain));
    report.drift().ifPresent(drift -> drift(json.putObject("drift"), drift));
    report.growth().ifPresent(growth -> growth(json.putObject("growth"), growth));
    ArrayNode verdicts = json.putArray("verdicts");
    for (BenchVerdict verdict : report.verdicts()) {
      ObjectNode each = verdicts.addObject().put("measure", verdict.measure().title());
      each.put("grade", verdict.grade().title()).put("reason", verdict.reason());
      verdict.advice().ifPresent(advice -> each.put("advice", advice));
    }
    report.broken().forEach(json.putArray("broken")::add);
    return json;
  }

  private static void ground(ObjectNode json, Ground ground) {
    json.put("postgresql", ground.version()).put("place", ground.place());
    number(json, "roundTripMillis", ground.roundTrip());
    number(json, "commitMillis", ground.commit());
    ground.warnings().forEach(json.putArray("warnings")::add);
  }

  private static void drain(ObjectNode json, Drain.Outcome drain) {
    json.put("runs", drain.runs()).put("missing", drain.missing()).put("doubled", drain.doubled());
    number(json, "runsPerSecond", drain.perSecond());
    number(json, "firstRunMillis", drain.firstMillis());
    number(json, "commitsPerRun", drain.commits());
    drain.walBytes().ifPresent(bytes -> number(json, "walBytesPerRun", bytes));
  }

  private static void drift(ObjectNode json, Drift.Outcome drift) {
    json.put("schedules", drift.schedules()).put("seconds", drift.seconds());
    json.put("expected", drift.expected()).put("fired", drift.fired());
    json.put("skipped", drift.skipped()).put("missing", drift.missing());
    json.put("doubled", drift.doubled()).put("early", drift.early());
    number(json, "p50Millis", drift.p50());
    number(json, "p99Millis", drift.p99());
    number(json, "maxMillis", drift.max());
  }

  private static void growth(ObjectNode json, Growth.Outcome growth) {
    json.put("idle", growth.idle());
    number(json, "createSeconds", growth.createSeconds());
    number(json, "drainRatio", growth.kept());
    half(json.putObject("without"), growth.without());
    half(json.putObject("beside"), growth.beside());
  }

  private static void half(ObjectNode json, Growth.Half half) {
    number(json, "runsPerSecond", half.perSecond());
    number(json, "nodeStartMillis", half.startMillis());
    drift(json.putObject("drift"), half.drift());
  }

  /* JSON has no value for what could not be measured, so that is left out. */
  private static void number(ObjectNode json, String name, double value) {
    if (Double.isFinite(value)) {
      json.put(name, Math.round(value * 1_000) / 1e3);
    }
  }
}
