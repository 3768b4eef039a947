package dev.carillon.template;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A text with placeholders. <code>$${</code> stands for a literal <code>${</code>; other dollars
 * are what they are.
 */
public final class Template {
  private final List<Part> parts;

  /** A stretch of a template. */
  sealed interface Part {}

  /** Text that is taken as it is. */
  record Literal(String text) implements Part {}

  /**
   * A placeholder.
   *
   * @param position of its dollar in the text, from one
   */
  record Filled(Placeholder placeholder, int position) implements Part {}

  Template(List<Part> parts) {
    this.parts = List.copyOf(parts);
  }

  /**
   * Parse a text.
   *
   * @throws TemplateSyntaxException if it is no template; its message says where, and the cure
   */
  public static Template parse(String text) {
    return new TemplateParser(text).parse();
  }

  /** Tell whether {@code text} could differ from what it stands for. */
  static boolean isTemplate(String text) {
    return text.contains("${");
  }

  /** Return {@code text} as a template that stands for it. */
  public static String escaped(String text) {
    var out = new StringBuilder();
    appendEscaped(out, text);
    return out.toString();
  }

  /** Tell whether what stands between <code>${</code> and <code>}</code> begins with a name. */
  public static boolean isPlaceholder(String text) {
    return Arrays.stream(Placeholder.Name.values())
        .map(name -> name.word)
        .filter(text::startsWith)
        .anyMatch(
            word ->
                text.length() == word.length()
                    || !PayloadPath.isPlain(text.codePointAt(word.length()))
                    || text.charAt(word.length()) == '-');
  }

  /** Return the texts between the placeholders. */
  public List<String> literals() {
    return parts.stream()
        .flatMap(part -> part instanceof Literal literal ? Stream.of(literal.text) : Stream.of())
        .toList();
  }

  List<Filled> placeholders() {
    return parts.stream()
        .flatMap(part -> part instanceof Filled filled ? Stream.of(filled) : Stream.of())
        .toList();
  }

  /** Return the placeholder if the text is nothing else. */
  Optional<Placeholder> only() {
    return parts.size() == 1 && parts.get(0) instanceof Filled filled
        ? Optional.of(filled.placeholder)
        : Optional.empty();
  }

  /**
   * Fill in {@code values}, and values of {@code payload}, in up to {@code most} characters.
   *
   * @throws TemplateException if the payload lacks a value, or the text would be longer
   */
  public String expand(TemplateValues values, Object payload, int most) {
    return text(values, path -> found(path, payload), most);
  }

  String text(TemplateValues values, Function<PayloadPath, @Nullable Object> payload, int most) {
    var text = new StringBuilder();
    for (Part part : parts) {
      if (part instanceof Literal literal) {
        text.append(literal.text);
      } else if (part instanceof Filled filled) {
        text.append(inText(filled.placeholder.value(values, payload), most));
      }
      if (text.length() > most) {
        throw TemplateException.tooLarge();
      }
    }
    return text.toString();
  }

  static @Nullable Object found(PayloadPath path, Object payload) {
    return path.find(payload)
        .orElseThrow(
            () ->
                new TemplateException(
                    TemplateException.FAILED,
                    "the payload of the run has no %s; add it to the payload, or change the template"
                        .formatted(TemplateSyntaxException.quoted(path.toString()))))
        .value();
  }

  /* Text as it is, nothing for null, everything else as JSON. */
  private static String inText(@Nullable Object value, int most) {
    if (value == null) {
      return "";
    }
    return value instanceof String text ? text : BoundedJson.write(value, most);
  }

  /** Return the template as a text that is parsed to the same. */
  @Override
  public String toString() {
    var text = new StringBuilder();
    for (Part part : parts) {
      if (part instanceof Literal literal) {
        appendEscaped(text, literal.text);
      } else if (part instanceof Filled filled) {
        doubleTrailingDollars(text);
        text.append("${").append(filled.placeholder).append('}');
      }
    }
    return text.toString();
  }

  private static void appendEscaped(StringBuilder out, String literal) {
    for (int i = 0; i < literal.length(); i++) {
      if (literal.charAt(i) == '{') {
        doubleTrailingDollars(out);
      }
      out.append(literal.charAt(i));
    }
  }

  private static void doubleTrailingDollars(StringBuilder out) {
    int start = out.length();
    while (start > 0 && out.charAt(start - 1) == '$') {
      start--;
    }
    out.append("$".repeat(out.length() - start));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Template template && toString().equals(template.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }
}
