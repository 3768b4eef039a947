package dev.carillon.cli.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.time.DurationText;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Says fields of the REST interface as people would: words for names, phrases for values. */
public final class HumanText {
  private static final int MAX_LINE_LENGTH = 60;

  private HumanText() {}

  /** Return the name of a field in words: {@code pauseAfterFailures} is "pause after failures". */
  public static String label(String name) {
    return name.replaceAll("([a-z0-9])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT);
  }

  /** Return where a value is as {@code --set} wants it: {@code /timing/cron} is "timing.cron". */
  public static String path(String pointer) {
    return pointer.replaceFirst("^/", "").replace("/", ".").replace("~1", "/").replace("~0", "~");
  }

  /** Say a value on one line: what an object has, the items of a list, lengths of time in short. */
  public static String value(JsonNode value) {
    if (isNothing(value)) {
      return "(not set)";
    }
    if (value.isObject()) {
      var parts = new ArrayList<String>();
      for (Map.Entry<String, JsonNode> field : value.properties()) {
        if (!isNothing(field.getValue())) {
          parts.add(label(field.getKey()) + " " + inner(field.getValue()));
        }
      }
      return String.join(", ", parts);
    }
    if (value.isArray()) {
      var items = new ArrayList<String>();
      value.forEach(item -> items.add(inner(item)));
      return String.join(", ", items);
    }
    return TerminalText.line(value.isTextual() ? text(value.asText()) : number(value));
  }

  private static String inner(JsonNode value) {
    return value.isContainerNode() ? "(" + value(value) + ")" : value(value);
  }

  private static String number(JsonNode value) {
    return value.isNumber()
        ? value.decimalValue().stripTrailingZeros().toPlainString()
        : value.asText();
  }

  /** Return a length of time as people write it, any other text as it is. */
  public static String text(String text) {
    if (!text.matches("PT?[0-9].*")) {
      return text;
    }
    try {
      return DurationText.of(Duration.parse(text));
    } catch (DateTimeException e) {
      return text;
    }
  }

  /** Return JSON on one line if it is short, else on several. */
  public static List<String> json(JsonNode value) {
    String line = Json.write(value);
    return line.length() <= MAX_LINE_LENGTH
        ? List.of(TerminalText.line(line))
        : Json.pretty(value).lines().map(TerminalText::line).toList();
  }

  /** Say whether there is nothing to tell. */
  public static boolean isNothing(JsonNode value) {
    return value.isMissingNode()
        || value.isNull()
        || (value.isContainerNode() && value.isEmpty())
        || (value.isTextual() && value.asText().isEmpty());
  }
}
