package dev.carillon.server;

import dev.carillon.definition.CalendarJson;
import dev.carillon.definition.QuietHoursJson;
import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.server.ScheduleDocument.Mistake;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.web.ProblemException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A calendar or quiet hours as REST clients write them, read as a server does.
 *
 * @param definition what it says; empty if it has mistakes
 * @param mistakes what is wrong with it
 */
public record BusinessTimeDocument<T>(Optional<T> definition, List<Mistake> mistakes) {
  public BusinessTimeDocument {
    mistakes = List.copyOf(mistakes);
  }

  /** Read the calendar called {@code name}. */
  public static BusinessTimeDocument<CalendarDefinition> calendar(
      String name, Map<String, @Nullable Object> json) {
    return read(json, fields -> CalendarJson.read(name, fields));
  }

  /** Read the quiet hours called {@code name}. */
  public static BusinessTimeDocument<QuietHoursDefinition> quietHours(
      String name, Map<String, @Nullable Object> json) {
    return read(json, fields -> QuietHoursJson.read(name, fields));
  }

  private static <T> BusinessTimeDocument<T> read(
      Map<String, @Nullable Object> json, Function<JsonFields, Optional<T>> form) {
    try {
      JsonFields fields = JsonFields.of(json);
      Optional<T> definition = form.apply(fields);
      fields.done();
      return new BusinessTimeDocument<>(definition, List.of());
    } catch (ProblemException e) {
      return new BusinessTimeDocument<>(Optional.empty(), ScheduleDocument.mistakes(e.problem()));
    }
  }
}
