package dev.carillon.cli.forecast;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.Simulation;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Listing;
import dev.carillon.cli.remote.Session;
import dev.carillon.definition.CalendarJson;
import dev.carillon.definition.QuietHoursJson;
import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.QuietHoursDefinition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The calendars and quiet hours for schedules that a simulation looks at, most from the server. */
record ServerRules(List<CalendarDefinition> calendars, List<QuietHoursDefinition> quietHours) {
  static final ServerRules NONE = new ServerRules(List.of(), List.of());

  private static final int MAX = 10_000;
  private static final Set<String> NOT_DEFINED =
      Set.of("name", "version", "reason", "updatedAt", "updatedBy");

  /** Read these calendars with their parts, and all quiet hours. */
  static ServerRules read(Session session, Collection<String> names) {
    Set<String> there = new HashSet<>();
    if (!names.isEmpty()) {
      Listing.of(session.client(), Call.get("calendars"), MAX)
          .items()
          .forEach(calendar -> there.add(Json.text(calendar, "/name")));
    }
    var calendars = new ArrayList<CalendarDefinition>();
    var wanted = new ArrayDeque<>(names);
    var known = new HashSet<String>();
    while (!wanted.isEmpty()) {
      String name = wanted.poll();
      if (there.contains(name) && known.add(name)) {
        CalendarDefinition calendar =
            CalendarJson.stored(name, defined(session.ask(Call.get("calendars", name))));
        calendars.add(calendar);
        wanted.addAll(calendar.combines());
      }
    }
    var quietHours = new ArrayList<QuietHoursDefinition>();
    Listing.of(session.client(), Call.get("quiet-hours"), MAX)
        .items()
        .forEach(
            hours ->
                quietHours.add(QuietHoursJson.stored(Json.text(hours, "/name"), defined(hours))));
    return new ServerRules(calendars, quietHours);
  }

  private static String defined(JsonNode view) {
    ObjectNode definition = Json.object();
    for (Map.Entry<String, JsonNode> field : view.properties()) {
      JsonNode value = field.getValue();
      boolean empty = value.isNull() || (value.isContainerNode() && value.isEmpty());
      if (!NOT_DEFINED.contains(field.getKey()) && !empty) {
        definition.set(field.getKey(), value);
      }
    }
    return Json.write(definition);
  }

  Simulation applyTo(Simulation simulation) {
    return simulation.rules(calendars, quietHours);
  }
}
