package dev.carillon.cli.doctor;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.TerminalText;

/**
 * What a check found.
 *
 * @param level {@code ok}, {@code warn}, {@code fail} or {@code skip}
 * @param about what was checked
 * @param said what was found
 * @param cure what to do; empty if nothing
 */
record Finding(String level, String about, String said, String cure) {

  static Finding ok(String about, String said) {
    return new Finding("ok", about, said, "");
  }

  static Finding warn(String about, String said, String cure) {
    return new Finding("warn", about, said, cure);
  }

  static Finding fail(String about, String said, String cure) {
    return new Finding("fail", about, said, cure);
  }

  static Finding skip(String about, String said) {
    return new Finding("skip", about, said, "");
  }

  boolean isFailure() {
    return level.equals("fail");
  }

  void print(Output output) {
    output.line(
        "%s  %s  %s"
            .formatted(
                output.word(level, 4), TerminalText.pad(about, 14), TerminalText.line(said)));
    if (!cure.isEmpty()) {
      output.line(" ".repeat(22) + "→ " + TerminalText.line(cure));
    }
  }

  ObjectNode json() {
    return Json.object()
        .put("level", level)
        .put("about", about)
        .put("said", said)
        .put("cure", cure);
  }
}
