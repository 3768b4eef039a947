package dev.carillon.cli.console;

import java.util.Map;

/** The colours of a terminal; where there are none, texts stay as they are. */
public record Palette(boolean colour) {
  private static final Map<String, Style> WORDS =
      Map.ofEntries(
          Map.entry("succeeded", Style.GOOD),
          Map.entry("active", Style.GOOD),
          Map.entry("alive", Style.GOOD),
          Map.entry("ok", Style.GOOD),
          Map.entry("create", Style.GOOD),
          Map.entry("running", Style.BUSY),
          Map.entry("change", Style.BUSY),
          Map.entry("paused", Style.CARE),
          Map.entry("canceled", Style.CARE),
          Map.entry("skipped", Style.CARE),
          Map.entry("warn", Style.CARE),
          Map.entry("failed", Style.BAD),
          Map.entry("fail", Style.BAD),
          Map.entry("dead", Style.BAD),
          Map.entry("retire", Style.BAD),
          Map.entry("retired", Style.FAINT),
          Map.entry("completed", Style.FAINT),
          Map.entry("revoked", Style.FAINT),
          Map.entry("expired", Style.FAINT),
          Map.entry("unchanged", Style.FAINT),
          Map.entry("skip", Style.FAINT));

  /** What a text is to look like. */
  public enum Style {
    PLAIN(""),
    STRONG("1"),
    FAINT("2"),
    GOOD("32"),
    BUSY("36"),
    CARE("33"),
    BAD("31");

    private final String code;

    Style(String code) {
      this.code = code;
    }
  }

  /** Return {@code text} in {@code style}. */
  public String paint(Style style, String text) {
    return colour && style != Style.PLAIN && !text.isEmpty()
        ? "\u001b[" + style.code + "m" + text + "\u001b[0m"
        : text;
  }

  /** Return the style in which a word such as {@code failed} is shown everywhere. */
  public static Style of(String word) {
    return WORDS.getOrDefault(word, Style.PLAIN);
  }
}
