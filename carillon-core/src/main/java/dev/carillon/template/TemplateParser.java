package dev.carillon.template;

import dev.carillon.template.Placeholder.Name;
import dev.carillon.template.Template.Filled;
import dev.carillon.template.Template.Literal;
import dev.carillon.template.Template.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads a template once from left to right. */
final class TemplateParser {
  /** The most offsets of one date. */
  static final int MAX_OFFSETS = 8;

  private static final String NAMES =
      Arrays.stream(Name.values()).map(name -> name.word).collect(Collectors.joining(", "));

  private final String text;
  private final List<Part> parts = new ArrayList<>();
  private final StringBuilder literal = new StringBuilder();
  private int at;

  TemplateParser(String text) {
    this.text = text;
  }

  Template parse() {
    while (at < text.length()) {
      if (text.charAt(at) == '$') {
        dollars();
      } else {
        literal.append(text.charAt(at++));
      }
    }
    endLiteral();
    return new Template(parts);
  }

  /* Before a brace, two dollars are one; one that is left over begins a placeholder. */
  private void dollars() {
    int start = at;
    while (at < text.length() && text.charAt(at) == '$') {
      at++;
    }
    int count = at - start;
    if (at == text.length() || text.charAt(at) != '{') {
      literal.append(text, start, at);
      return;
    }
    literal.append("$".repeat(count / 2));
    if (count % 2 == 0) {
      literal.append('{');
      at++;
    } else {
      endLiteral();
      int position = at;
      at++;
      parts.add(new Filled(placeholder(position), position));
    }
  }

  private void endLiteral() {
    if (!literal.isEmpty()) {
      parts.add(new Literal(literal.toString()));
      literal.setLength(0);
    }
  }

  private Placeholder placeholder(int position) {
    int start = at;
    while (at < text.length() && isAsciiLetter(text.charAt(at))) {
      at++;
    }
    String word = text.substring(start, at);
    Optional<Name> name =
        Arrays.stream(Name.values()).filter(one -> one.word.equals(word)).findFirst();
    if (name.isEmpty()) {
      throw new TemplateSyntaxException(
          position,
          "${ is followed by %s, which is no name; use one of %s, or write $${ for a literal ${"
              .formatted(word.isEmpty() ? here() : TemplateSyntaxException.quoted(word), NAMES));
    }
    Placeholder placeholder =
        switch (name.get()) {
          case SLOT, DUE -> date(name.get());
          case PAYLOAD -> new Placeholder.OfPayload(new PayloadPath(steps()));
          default -> new Placeholder.Plain(name.get());
        };
    close(position, name.get());
    return placeholder;
  }

  private void close(int position, Name name) {
    if (at == text.length()) {
      throw new TemplateSyntaxException(
          position, "the placeholder is not closed; add }, or write $${ for a literal ${");
    }
    if (text.charAt(at) != '}') {
      throw new TemplateSyntaxException(
          at + 1,
          "%s does not belong here; %s"
              .formatted(
                  here(),
                  switch (name) {
                    case SLOT, DUE -> "write ${" + name.word + "-1d:yyyy-MM-dd}";
                    case PAYLOAD ->
                        "write ${payload.name}, with a name of other than letters, digits, _ and - in"
                            + " single quotes";
                    default -> "write ${" + name.word + "}";
                  }));
    }
    at++;
  }

  private Placeholder date(Name name) {
    var offsets = new ArrayList<DateOffset>();
    while (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
      if (offsets.size() == MAX_OFFSETS) {
        throw new TemplateSyntaxException(
            at + 1, "a date is moved up to %s times; add them up".formatted(MAX_OFFSETS));
      }
      offsets.add(offset());
    }
    if (at == text.length() || text.charAt(at) != ':') {
      return new Placeholder.Date(name, offsets, Optional.empty());
    }
    int start = ++at;
    skipPattern();
    DatePattern pattern = DatePattern.parse(text.substring(start, at), start + 1);
    return new Placeholder.Date(name, offsets, Optional.of(pattern));
  }

  private DateOffset offset() {
    boolean earlier = text.charAt(at) == '-';
    int start = ++at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    int digits = at - start;
    Optional<DateUnit> unit = at < text.length() ? DateUnit.of(text.charAt(at)) : Optional.empty();
    if (digits == 0 || digits > DateOffset.MAX_DIGITS || unit.isEmpty()) {
      throw new TemplateSyntaxException(
          start,
          "a date is moved by up to %s digits and a unit, such as -1d or +15m; units are s, m (minutes), h, d, w, M (months) and y"
              .formatted(DateOffset.MAX_DIGITS));
    }
    at++;
    int amount = Integer.parseInt(text.substring(start, start + digits));
    return new DateOffset(earlier ? -amount : amount, unit.get());
  }

  /* Up to the brace that is not in quotes. */
  private void skipPattern() {
    boolean quoted = false;
    while (at < text.length() && (quoted || text.charAt(at) != '}')) {
      quoted ^= text.charAt(at) == '\'';
      at++;
    }
  }

  private List<String> steps() {
    var steps = new ArrayList<String>();
    while (at < text.length() && text.charAt(at) == '.') {
      at++;
      steps.add(at < text.length() && text.charAt(at) == '\'' ? quotedStep() : plainStep());
    }
    return steps;
  }

  private String plainStep() {
    int start = at;
    while (at < text.length() && PayloadPath.isPlain(text.codePointAt(at))) {
      at += Character.charCount(text.codePointAt(at));
    }
    if (at == start) {
      throw new TemplateSyntaxException(
          at + 1,
          "a name of the payload is missing; write ${payload.name}, with a name of other than letters, digits, _ and - in single quotes");
    }
    return text.substring(start, at);
  }

  private String quotedStep() {
    int start = at++;
    var step = new StringBuilder();
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c != '\'') {
        step.append(c);
      } else if (at < text.length() && text.charAt(at) == '\'') {
        step.append(c);
        at++;
      } else {
        return step.toString();
      }
    }
    throw new TemplateSyntaxException(start + 1, "the quote is not closed; add a '");
  }

  private String here() {
    if (at == text.length()) {
      return "the end of the text";
    }
    return TemplateSyntaxException.quoted(Character.toString(text.codePointAt(at)));
  }

  private static boolean isAsciiLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
}
