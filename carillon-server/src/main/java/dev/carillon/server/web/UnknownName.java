package dev.carillon.server.web;

import dev.carillon.time.ClosestMatch;
import java.util.Collection;

/** What to say about a name that is not known. */
public final class UnknownName {

  private UnknownName() {}

  /** Refuse a field, naming the one that was probably meant. */
  public static String field(String name, Collection<String> known) {
    return "there is no field '%s' here; %s".formatted(Truncated.of(name), instead(name, known));
  }

  /** Refuse a query parameter, naming the one that was probably meant. */
  static String parameter(String name, Collection<String> known) {
    return "there is no parameter '%s' here; %s"
        .formatted(Truncated.of(name), instead(name, known));
  }

  /** Refuse a word, naming those that are accepted. */
  public static String word(String word, Collection<String> known) {
    return "'%s' is none of %s%s"
        .formatted(
            Truncated.of(word),
            String.join(", ", known),
            near(word, known).isEmpty() ? "" : "; did you mean %s?".formatted(near(word, known)));
  }

  private static String instead(String name, Collection<String> known) {
    String near = near(name, known);
    if (!near.isEmpty()) {
      return "did you mean '%s'?".formatted(near);
    }
    return known.isEmpty() ? "remove it" : "known are " + String.join(", ", known);
  }

  private static String near(String name, Collection<String> known) {
    return name.length() > Truncated.MAX_LENGTH
        ? ""
        : ClosestMatch.to(name, known, Math.max(1, name.length() / 2)).orElse("");
  }
}
