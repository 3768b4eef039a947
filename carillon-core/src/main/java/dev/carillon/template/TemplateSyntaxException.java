package dev.carillon.template;

import dev.carillon.time.InvalidValueException;
import java.util.List;

/** Signals a template that is not valid; says where in it, and how to fix it. */
public final class TemplateSyntaxException extends InvalidValueException {
  private static final int MAX_SHOWN = 60;

  private final String pointer;
  private final String reason;
  private final transient List<TemplateSyntaxException> others;

  /**
   * Refuse a template.
   *
   * @param position of the mistake in the text, from one
   * @param reason what is wrong there, and the cure
   */
  TemplateSyntaxException(int position, String reason) {
    this("", "at character %s: %s".formatted(position, reason), List.of());
  }

  private TemplateSyntaxException(
      String pointer, String reason, List<TemplateSyntaxException> others) {
    super("payload", pointer.isEmpty() ? reason : "payload" + pointer + ": " + reason);
    this.pointer = pointer;
    this.reason = reason;
    this.others = List.copyOf(others);
  }

  /** Return the same for the text at {@code place}, a JSON pointer. */
  TemplateSyntaxException at(String place) {
    return new TemplateSyntaxException(place, reason, others);
  }

  /** Return the same, with what is wrong in other texts. */
  TemplateSyntaxException and(List<TemplateSyntaxException> more) {
    return new TemplateSyntaxException(pointer, reason, more);
  }

  /** Return what is wrong in other texts of the same JSON. */
  public List<TemplateSyntaxException> others() {
    return others;
  }

  /** Return where the text is in the JSON that has it, as a JSON pointer; empty if it is alone. */
  public String pointer() {
    return pointer;
  }

  /** Return what is wrong without where the text is. */
  public String reason() {
    return reason;
  }

  /** Return {@code text}, cut and without what could steer a terminal, in quotes. */
  static String quoted(String text) {
    var shown = new StringBuilder("'");
    text.codePoints()
        .limit(MAX_SHOWN)
        .map(c -> Character.isISOControl(c) ? 0xFFFD : c)
        .forEach(shown::appendCodePoint);
    return shown.append(text.length() > MAX_SHOWN ? "…'" : "'").toString();
  }
}
