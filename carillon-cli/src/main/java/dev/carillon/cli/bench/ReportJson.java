package dev.carillon.cli.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.carillon.Version;
import dev.carillon.bench.Drain;
import dev.carillon.bench.Drift;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;

/** Prints a report for programs. */
public final class ReportJson {
  private final JsonGenerator json;

  private ReportJson(JsonGenerator json) {
    this.json = json;
  }

  public static void print(Report report, PrintWriter out) {
    try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.useDefaultPrettyPrinter();
      new ReportJson(json).write(report);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    out.println();
    out.flush();
  }

  private void write(Report report) throws IOException {
    json.writeStartObject();
    json.writeStringField("carillon", Version.current());
    json.writeStringField("java", Runtime.version().toString());
    json.writeNumberField("processors", Runtime.getRuntime().availableProcessors());
    ground(report.ground());
    if (report.drain().isPresent()) {
      drain("drain", report.drain().orElseThrow());
    }
    if (report.drift().isPresent()) {
      drift("drift", report.drift().orElseThrow());
    }
    if (report.growth().isPresent()) {
      growth(report.growth().orElseThrow());
    }
    verdicts(report);
    json.writeEndObject();
  }

  private void ground(Ground ground) throws IOException {
    json.writeObjectFieldStart("ground");
    json.writeStringField("postgresql", ground.version());
    json.writeStringField("place", ground.place());
    number("roundTripMillis", ground.roundTrip());
    number("commitMillis", ground.commit());
    json.writeArrayFieldStart("warnings");
    for (String warning : ground.warnings()) {
      json.writeString(warning);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void drain(String name, Drain.Outcome drain) throws IOException {
    json.writeObjectFieldStart(name);
    json.writeNumberField("runs", drain.runs());
    json.writeNumberField("missing", drain.missing());
    json.writeNumberField("doubled", drain.doubled());
    number("runsPerSecond", drain.perSecond());
    number("firstRunMillis", drain.firstMillis());
    number("commitsPerRun", drain.commits());
    if (drain.walBytes().isPresent()) {
      number("walBytesPerRun", drain.walBytes().getAsDouble());
    }
    json.writeEndObject();
  }

  private void drift(String name, Drift.Outcome drift) throws IOException {
    json.writeObjectFieldStart(name);
    json.writeNumberField("schedules", drift.schedules());
    json.writeNumberField("seconds", drift.seconds());
    json.writeNumberField("expected", drift.expected());
    json.writeNumberField("fired", drift.fired());
    json.writeNumberField("skipped", drift.skipped());
    json.writeNumberField("missing", drift.missing());
    json.writeNumberField("doubled", drift.doubled());
    json.writeNumberField("early", drift.early());
    number("p50Millis", drift.p50());
    number("p99Millis", drift.p99());
    number("maxMillis", drift.max());
    json.writeEndObject();
  }

  private void growth(Growth.Outcome growth) throws IOException {
    json.writeObjectFieldStart("growth");
    json.writeNumberField("idle", growth.idle());
    number("createSeconds", growth.createSeconds());
    number("drainRatio", growth.kept());
    half("without", growth.without());
    half("beside", growth.beside());
    json.writeEndObject();
  }

  private void half(String name, Growth.Half half) throws IOException {
    json.writeObjectFieldStart(name);
    number("runsPerSecond", half.perSecond());
    number("nodeStartMillis", half.startMillis());
    drift("drift", half.drift());
    json.writeEndObject();
  }

  private void verdicts(Report report) throws IOException {
    json.writeArrayFieldStart("verdicts");
    for (Verdict verdict : report.verdicts()) {
      json.writeStartObject();
      json.writeStringField("measure", verdict.measure().title());
      json.writeStringField("grade", verdict.grade().title());
      json.writeStringField("reason", verdict.reason());
      if (verdict.advice().isPresent()) {
        json.writeStringField("advice", verdict.advice().orElseThrow());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("broken");
    for (String promise : report.broken()) {
      json.writeString(promise);
    }
    json.writeEndArray();
  }

  /* JSON has no word for what could not be measured, so that is left out. */
  private void number(String name, double value) throws IOException {
    if (Double.isFinite(value)) {
      json.writeNumberField(name, Math.round(value * 1_000) / 1e3);
    }
  }
}
