package dev.carillon.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.carillon.time.Fire;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.format.DateTimeFormatter;

/** Prints a timing for programs. */
final class CronJson {
  private CronJson() {}

  static void print(CronReport report, PrintWriter out) {
    try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.useDefaultPrettyPrinter();
      json.writeStartObject();
      json.writeStringField("expression", report.expression());
      if (!report.resolved().equals(report.expression())) {
        json.writeStringField("resolved", report.resolved());
      }
      json.writeStringField("zone", report.zone().getId());
      json.writeStringField("description", report.description());
      json.writeArrayFieldStart(report.stretch().back() ? "previous" : "next");
      for (Fire fire : report.fires()) {
        json.writeStartObject();
        json.writeStringField("utc", fire.slot().toString());
        json.writeStringField("local", fire.local().format(DateTimeFormatter.ISO_OFFSET_DATE_TIME));
        if (fire.note().isPresent()) {
          json.writeStringField("note", fire.note().orElseThrow());
        }
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeArrayFieldStart("warnings");
      for (var warning : report.warnings()) {
        json.writeStartObject();
        json.writeStringField("code", warning.code());
        json.writeStringField("message", warning.message());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    out.println();
  }
}
