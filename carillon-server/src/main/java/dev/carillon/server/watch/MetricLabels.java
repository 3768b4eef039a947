package dev.carillon.server.watch;

import dev.carillon.json.PrintableText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The values a label may have: the first hundred that come, and one for all others. What could
 * steer a terminal is escaped.
 */
final class MetricLabels {
  static final int MAX_VALUES = 100;
  static final String OTHERS = "other";

  private final Set<String> known = ConcurrentHashMap.newKeySet();

  /** Return {@code text}, or the word for others if there are too many already. */
  String bounded(String text) {
    String value = PrintableText.line(text);
    if (known.contains(value)) {
      return value;
    }
    synchronized (this) {
      return known.size() < MAX_VALUES && known.add(value) ? value : OTHERS;
    }
  }

  /** Return {@code byText} by values of a label; of texts that have the same value, the first. */
  static <T> Map<String, T> escaped(Map<String, T> byText) {
    var byValue = new LinkedHashMap<String, T>();
    byText.forEach((text, measured) -> byValue.putIfAbsent(PrintableText.line(text), measured));
    return byValue;
  }
}
