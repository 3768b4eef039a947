package dev.carillon.cli.console;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Writes YAML that every reader takes for the same values as the JSON it stands for. */
public final class Yaml {
  private static final DumpSettings SETTINGS =
      DumpSettings.builder()
          .setDefaultFlowStyle(FlowStyle.BLOCK)
          .setSchema(new CoreSchema())
          .setSplitLines(false)
          .setIndent(2)
          .setIndicatorIndent(0)
          .setDereferenceAliases(true)
          .build();

  private Yaml() {}

  /** Write {@code value}, ending with a line break. */
  public static String write(JsonNode value) {
    return new Dump(SETTINGS).dumpToString(plain(value));
  }

  private static @Nullable Object plain(JsonNode value) {
    if (value.isObject()) {
      Map<String, @Nullable Object> fields = new LinkedHashMap<>();
      value.properties().forEach(field -> fields.put(field.getKey(), plain(field.getValue())));
      return fields;
    }
    if (value.isArray()) {
      List<@Nullable Object> items = new ArrayList<>();
      value.forEach(item -> items.add(plain(item)));
      return items;
    }
    return switch (value.getNodeType()) {
      case NULL, MISSING -> null;
      case BOOLEAN -> value.booleanValue();
      case NUMBER -> value.numberValue();
      default -> value.asText();
    };
  }
}
