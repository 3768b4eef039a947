package dev.carillon.cli.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.json.PrintableText;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.representer.StandardRepresenter;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/*
 * YAML 1.1, which many readers still speak, takes more texts for something else than 1.2 does: no
 * and on are booleans, 012 is ten, 1:30 is ninety, a day is a date. Such texts are quoted, and a
 * number with an exponent gets the point without which 1.1 would take it for a text.
 */
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

  private static final Pattern WORD =
      Pattern.compile(
          "(?i)y|n|yes|no|on|off|true|false|null|~|=|<<|[-+]?\\.(inf|nan)|[-+]?(inf|nan|infinity)");
  private static final Pattern NUMBER_OR_DATE =
      Pattern.compile("[-+.]*[0-9][-+0-9_.,:a-fA-FxXoOtTzZ \\t]*");

  private Yaml() {}

  /** Write {@code value}, ending with a line break. */
  public static String write(JsonNode value) {
    return PrintableText.lines(new Dump(SETTINGS, new Representer()).dumpToString(plain(value)));
  }

  private static @Nullable Object plain(JsonNode value) {
    if (value.isObject()) {
      Map<String, @Nullable Object> fields = new LinkedHashMap<>();
      value
          .properties()
          .forEach(field -> fields.put(whole(field.getKey()), plain(field.getValue())));
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
      default -> whole(value.asText());
    };
  }

  /* YAML cannot have half of a surrogate pair, not even escaped. */
  private static String whole(String text) {
    return text.codePoints()
        .map(point -> Character.getType(point) == Character.SURROGATE ? 0xFFFD : point)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  static boolean isAmbiguous(String text) {
    return WORD.matcher(text).matches() || NUMBER_OR_DATE.matcher(text).matches();
  }

  /* Double quotes are where YAML knows the escapes of JSON; lines of words need none. */
  private static boolean needsEscapes(String text) {
    return !PrintableText.isPrintable(text.replace('\n', ' '))
        || (text.indexOf('\n') >= 0 && Character.isWhitespace(text.charAt(0)));
  }

  /** Chooses how texts and numbers are written. */
  private static final class Representer extends StandardRepresenter {
    Representer() {
      super(SETTINGS);
      representers.put(String.class, this::text);
      representers.put(BigDecimal.class, this::decimal);
    }

    private Node text(Object value) {
      String text = (String) value;
      if (needsEscapes(text)) {
        return representScalar(Tag.STR, text, ScalarStyle.DOUBLE_QUOTED);
      }
      return isAmbiguous(text)
          ? representScalar(Tag.STR, text, ScalarStyle.SINGLE_QUOTED)
          : new RepresentString().representData(text);
    }

    private Node decimal(Object value) {
      String text = value.toString();
      boolean pointless = text.contains("E") && !text.contains(".");
      return representScalar(Tag.FLOAT, pointless ? text.replace("E", ".0E") : text);
    }
  }
}
