package dev.carillon.template;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The way to a value of a payload.
 *
 * @param steps names of fields and, in lists, positions from zero; none for the whole payload
 */
record PayloadPath(List<String> steps) {
  private static final int MAX_DIGITS = 6;

  PayloadPath {
    steps = List.copyOf(steps);
  }

  /**
   * A value that was found; it may be null.
   *
   * @param value the value
   */
  record Found(@Nullable Object value) {}

  /** Find the value in {@code payload}; empty if there is none. */
  Optional<Found> find(Object payload) {
    Object value = payload;
    for (String step : steps) {
      if (value instanceof Map<?, ?> map && map.containsKey(step)) {
        value = map.get(step);
      } else if (value instanceof List<?> list && position(step) < list.size()) {
        value = list.get(position(step));
      } else {
        return Optional.empty();
      }
    }
    return Optional.of(new Found(value));
  }

  /** Return the position in a list that {@code step} names; beyond every list if it names none. */
  static int position(String step) {
    boolean digits = step.chars().allMatch(c -> c >= '0' && c <= '9');
    boolean plain = step.length() == 1 || !step.startsWith("0");
    return digits && plain && !step.isEmpty() && step.length() <= MAX_DIGITS
        ? Integer.parseInt(step)
        : Integer.MAX_VALUE;
  }

  /** Tell whether a step may stand without quotes if {@code c} is in it. */
  static boolean isPlain(int c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '-';
  }

  @Override
  public String toString() {
    var text = new StringBuilder(Placeholder.Name.PAYLOAD.word);
    for (String step : steps) {
      boolean plain = !step.isEmpty() && step.codePoints().allMatch(PayloadPath::isPlain);
      text.append('.').append(plain ? step : "'" + step.replace("'", "''") + "'");
    }
    return text.toString();
  }
}
