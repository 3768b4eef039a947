package dev.carillon.server.api;

import dev.carillon.definition.JsonStyle;
import dev.carillon.definition.QuietHoursJson;
import dev.carillon.model.QuietHoursVersion;
import dev.carillon.server.read.ContractText;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Quiet hours as JSON. */
final class QuietHoursView {
  private QuietHoursView() {}

  static Map<String, @Nullable Object> whole(QuietHoursVersion version) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("name", version.name());
    view.put("version", version.version());
    view.putAll(QuietHoursJson.write(version.definition(), JsonStyle.FULL));
    view.put("reason", version.reason());
    view.put("updatedAt", ContractText.of(version.created().at()));
    view.put("updatedBy", version.created().by());
    return view;
  }
}
