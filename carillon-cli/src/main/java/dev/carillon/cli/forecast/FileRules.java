package dev.carillon.cli.forecast;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.file.Document;
import dev.carillon.cli.schedule.Definitions;
import dev.carillon.json.JsonException;
import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.server.BusinessTimeDocument;
import dev.carillon.server.ScheduleDocument.Mistake;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The calendars and quiet hours that files define, by name. */
record FileRules(
    Map<String, CalendarDefinition> calendars, Map<String, QuietHoursDefinition> quietHours) {
  /** Read them, and tell what is wrong with them. */
  static FileRules read(Definitions definitions, Consumer<String> mistakes) {
    return new FileRules(
        read(definitions.calendars(), BusinessTimeDocument::calendar, mistakes),
        read(definitions.quietHours(), BusinessTimeDocument::quietHours, mistakes));
  }

  private static <T> Map<String, T> read(
      Map<String, Document> documents,
      BiFunction<String, Map<String, @Nullable Object>, BusinessTimeDocument<T>> reader,
      Consumer<String> mistakes) {
    var read = new LinkedHashMap<String, T>();
    documents.forEach(
        (name, document) -> {
          BusinessTimeDocument<T> one = read(name, document.body(), reader);
          one.definition().ifPresent(definition -> read.put(name, definition));
          one.mistakes()
              .forEach(
                  mistake ->
                      mistakes.accept(
                          document.place(mistake.pointer()) + ": " + mistake.message()));
        });
    return read;
  }

  private static <T> BusinessTimeDocument<T> read(
      String name,
      JsonNode body,
      BiFunction<String, Map<String, @Nullable Object>, BusinessTimeDocument<T>> reader) {
    try {
      return reader.apply(name, dev.carillon.json.Json.readObject(Json.write(body)));
    } catch (JsonException e) {
      return new BusinessTimeDocument<>(
          Optional.empty(), List.of(new Mistake("", String.valueOf(e.getMessage()))));
    }
  }

  /** Return the calendars that combinations consist of. */
  List<String> parts() {
    return calendars.values().stream().flatMap(it -> it.combines().stream()).toList();
  }

  /** Return {@code rules} with these instead of those of the same names. */
  ServerRules over(ServerRules rules) {
    var allCalendars = new ArrayList<>(calendars.values());
    rules.calendars().stream()
        .filter(calendar -> !calendars.containsKey(calendar.name()))
        .forEach(allCalendars::add);
    var allHours = new ArrayList<>(quietHours.values());
    rules.quietHours().stream()
        .filter(hours -> !quietHours.containsKey(hours.name()))
        .forEach(allHours::add);
    return new ServerRules(allCalendars, allHours);
  }
}
