package dev.carillon.server.api;

import dev.carillon.definition.DefinitionFields;
import dev.carillon.definition.FieldChange;
import dev.carillon.json.RawJson;
import dev.carillon.model.Definition;
import dev.carillon.model.PayloadUse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How a definition, and what differs between two, is shown to clients. */
final class DefinitionView {
  private DefinitionView() {}

  /** Return the fields of a definition, with the payload as it is stored. */
  static Map<String, @Nullable Object> of(Definition definition) {
    Map<String, @Nullable Object> view = DefinitionFields.show(definition);
    view.put(DefinitionFields.PAYLOAD.name(), new RawJson(definition.payload().json()));
    return view;
  }

  /** Return {@code view} as lists show it. */
  static Map<String, @Nullable Object> listed(
      Map<String, @Nullable Object> view, PayloadUse payloads) {
    if (payloads == PayloadUse.LEFT_OUT) {
      view.remove(DefinitionFields.PAYLOAD.name());
    }
    return view;
  }

  /** Return which fields differ between two definitions, with what they were and are. */
  static List<Map<String, @Nullable Object>> changes(Definition before, Definition after) {
    return DefinitionFields.changes(before, after).stream().map(DefinitionView::of).toList();
  }

  private static Map<String, @Nullable Object> of(FieldChange change) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("field", change.field());
    view.put("from", change.from());
    view.put("to", change.to());
    return view;
  }
}
