package dev.carillon.server.web;

/** What a client sent, cut so that it can be repeated to them. */
public final class Truncated {
  /** The longest text that is repeated as a whole. */
  public static final int MAX_LENGTH = 60;

  private Truncated() {}

  /** Return {@code text}, or its beginning; never half of a pair of surrogates. */
  public static String of(String text) {
    if (text.length() <= MAX_LENGTH) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH;
    return text.substring(0, end) + "…";
  }
}
