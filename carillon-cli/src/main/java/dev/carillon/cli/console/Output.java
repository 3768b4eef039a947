package dev.carillon.cli.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Palette.Style;
import java.io.PrintWriter;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Where a command puts its answer: for people or for programs.
 *
 * @param out stdout
 * @param format how the answer is to be written
 * @param palette the colours of stdout
 * @param width the columns of stdout, if it is a terminal
 * @param ages how moments are shown
 */
public record Output(
    PrintWriter out, Format format, Palette palette, OptionalInt width, AgeText ages) {

  /** How an answer is written. */
  public enum Format {
    TABLE,
    JSON,
    YAML
  }

  /** Print {@code answer} as it is for programs, and as {@code forPeople} does for people. */
  public void print(JsonNode answer, Consumer<Output> forPeople) {
    boolean silent = answer.isMissingNode(); // a program reads what was said, and that was nothing
    switch (format) {
      case JSON -> out.print(silent ? "" : Json.pretty(answer) + System.lineSeparator());
      case YAML -> out.print(silent ? "" : Yaml.write(answer));
      case TABLE -> forPeople.accept(this);
    }
    out.flush();
  }

  /** Print a line. */
  public void line(String text) {
    out.println(text.replace("\n", "\\n"));
  }

  /** Print a table. */
  public void table(Table table) {
    table.print(out, width, palette);
  }

  /** Return {@code text} in the colour of the word it is. */
  public String word(String text) {
    return palette.paint(Palette.of(text), TerminalText.line(text));
  }

  /** Return {@code text} in the colour of the word it is, in a column of {@code columns}. */
  public String word(String text, int columns) {
    return word(text) + TerminalText.pad("", columns - TerminalText.width(text));
  }

  /** Return {@code text} in {@code style}. */
  public String paint(Style style, String text) {
    return palette.paint(style, text);
  }

  /** Return when the instant at {@code pointer} is; a dash if there is none. */
  public String when(JsonNode value, String pointer) {
    return Json.instant(value, pointer).map(ages::of).orElse("-");
  }

  /**
   * Return when something was done and by whom, of the fields at these pointers; empty if never.
   */
  public String stamp(JsonNode value, String at, String by) {
    return Json.instant(value, at)
        .map(when -> ages.of(when) + " by " + TerminalText.line(Json.text(value, by)))
        .orElse("");
  }
}
