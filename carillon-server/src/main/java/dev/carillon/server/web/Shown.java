package dev.carillon.server.web;

/** What a client sent, cut so that it can be repeated to them. */
public final class Shown {
  /** The longest text that is repeated as a whole. */
  public static final int LONGEST = 60;

  private Shown() {}

  /** Return {@code text}, or its beginning; never half of a pair of surrogates. */
  public static String of(String text) {
    if (text.length() <= LONGEST) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
    return text.substring(0, end) + "…";
  }
}
