package dev.carillon.cli.console;

/** The colours of a terminal; where there are none, texts stay as they are. */
public record Palette(boolean colour) {
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
        ? TerminalWriter.own("\u001b[" + style.code + "m") + text + TerminalWriter.own("\u001b[0m")
        : text;
  }

  /** Return the style in which a word such as {@code failed} is shown everywhere. */
  public static Style of(String word) {
    return switch (word) {
      case "succeeded", "active", "alive", "ok", "create" -> Style.GOOD;
      case "running", "change" -> Style.BUSY;
      case "paused", "canceled", "skipped", "warn" -> Style.CARE;
      case "failed", "fail", "dead", "retire" -> Style.BAD;
      case "retired", "completed", "revoked", "expired", "unchanged", "skip" -> Style.FAINT;
      default -> Style.PLAIN;
    };
  }
}
