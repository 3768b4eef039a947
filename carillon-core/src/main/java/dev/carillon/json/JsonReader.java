package dev.carillon.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads JSON as RFC 8259 has it, with the limits PostgreSQL's jsonb needs. */
final class JsonReader {
  /* Beyond this, a number costs more to hold than any text it could come in. */
  private static final int MAX_NUMBER = 100;
  private static final int MAX_EXPONENT = 1_000;

  private final String text;
  private int at;

  JsonReader(String text) {
    this.text = text;
  }

  @Nullable Object read() {
    Object value = value(0);
    skipBlanks();
    if (at < text.length()) {
      throw unexpected();
    }
    return value;
  }

  private @Nullable Object value(int depth) {
    if (depth > Json.DEEPEST) {
      throw new JsonException("JSON may be nested " + Json.DEEPEST + " deep");
    }
    skipBlanks();
    return switch (peek()) {
      case '{' -> object(depth);
      case '[' -> list(depth);
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, @Nullable Object> object(int depth) {
    var map = new LinkedHashMap<String, @Nullable Object>();
    at++;
    skipBlanks();
    if (peek() == '}') {
      at++;
      return map;
    }
    while (true) {
      skipBlanks();
      if (peek() != '"') {
        throw unexpected();
      }
      String name = string();
      if (map.containsKey(name)) {
        throw new JsonException("'" + name + "' is given twice in one JSON object");
      }
      skipBlanks();
      expect(':');
      map.put(name, value(depth + 1));
      skipBlanks();
      if (peek() == '}') {
        at++;
        return map;
      }
      expect(',');
    }
  }

  private List<@Nullable Object> list(int depth) {
    var list = new ArrayList<@Nullable Object>();
    at++;
    skipBlanks();
    if (peek() == ']') {
      at++;
      return list;
    }
    while (true) {
      list.add(value(depth + 1));
      skipBlanks();
      if (peek() == ']') {
        at++;
        return list;
      }
      expect(',');
    }
  }

  private String string() {
    var out = new StringBuilder();
    at++;
    while (true) {
      char c = peek();
      if (c == '"') {
        at++;
        String value = out.toString();
        if (!Json.isStorable(value)) {
          throw new JsonException("text must not hold \\u0000 or half of a surrogate pair");
        }
        return value;
      }
      if (c < 0x20) {
        throw unexpected();
      }
      at++;
      out.append(c == '\\' ? escape() : c);
    }
  }

  private char escape() {
    char c = peek();
    at++;
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> hex();
      default -> {
        at--;
        throw unexpected();
      }
    };
  }

  private char hex() {
    int code = 0;
    for (int i = 0; i < 4; i++) {
      int digit = peek() < 0x80 ? Character.digit(peek(), 16) : -1;
      if (digit < 0) {
        throw unexpected();
      }
      code = code * 16 + digit;
      at++;
    }
    return (char) code;
  }

  private Object number() {
    int start = at;
    if (peek() == '-') {
      at++;
    }
    int whole = digits();
    if (whole == 0 || (whole > 1 && text.charAt(at - whole) == '0')) {
      at = Math.min(start, text.length() - 1);
      throw unexpected();
    }
    boolean integer = true;
    if (at < text.length() && text.charAt(at) == '.') {
      at++;
      integer = false;
      if (digits() == 0) {
        throw unexpected();
      }
    }
    if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
      at++;
      integer = false;
      if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
        at++;
      }
      if (digits() == 0) {
        throw unexpected();
      }
    }
    return toNumber(text.substring(start, at), integer);
  }

  private static Object toNumber(String digits, boolean integer) {
    if (digits.length() > MAX_NUMBER) {
      throw new JsonException("a number may have " + MAX_NUMBER + " characters");
    }
    if (integer) {
      var number = new BigInteger(digits);
      return number.bitLength() < Long.SIZE ? (Object) number.longValue() : new BigDecimal(number);
    }
    try {
      var number = new BigDecimal(digits);
      if (Math.abs((long) number.precision() - number.scale()) > MAX_EXPONENT) {
        throw new JsonException("a number's exponent may be up to " + MAX_EXPONENT);
      }
      return number;
    } catch (NumberFormatException beyondBigDecimal) {
      throw new JsonException("a number's exponent may be up to " + MAX_EXPONENT);
    }
  }

  private int digits() {
    int start = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at - start;
  }

  private @Nullable Object word(String word, @Nullable Object value) {
    if (!text.startsWith(word, at)) {
      throw unexpected();
    }
    at += word.length();
    return value;
  }

  private void expect(char wanted) {
    if (peek() != wanted) {
      throw unexpected();
    }
    at++;
  }

  private char peek() {
    if (at >= text.length()) {
      throw tooEarly();
    }
    return text.charAt(at);
  }

  private void skipBlanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private JsonException tooEarly() {
    int length = text.length();
    return new JsonException(
        "the JSON ends too early, after " + (length == 1 ? "1 character" : length + " characters"));
  }

  private JsonException unexpected() {
    if (at >= text.length()) {
      return tooEarly();
    }
    return new JsonException(
        "unexpected '" + text.charAt(at) + "' in JSON at character " + (at + 1));
  }
}
