package dev.carillon.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.console.Table.Cell;
import dev.carillon.cli.console.Table.Column;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class TableTest {
  private final Table table =
      new Table(Column.text("KEY"), Column.word("STATE"), Column.number("TOOK"));

  @Test
  void columns_are_as_wide_as_their_texts_and_numbers_stand_on_the_right() {
    table.add(Cell.of("nightly"), Cell.word("failed"), Cell.of("12ms"));
    table.add(Cell.of("x"), Cell.word("running"), Cell.of("3m 20s"));

    assertThat(printed(OptionalInt.empty(), false))
        .containsExactly(
            "KEY      STATE      TOOK", //
            "nightly  failed     12ms",
            "x        running  3m 20s");
  }

  @Test
  void what_is_too_wide_for_the_terminal_is_cut_where_it_can_be() {
    table.add(Cell.of("a-very-long-key-indeed"), Cell.word("succeeded"), Cell.of("1s"));

    assertThat(printed(OptionalInt.of(30), false))
        .containsExactly("KEY            STATE      TOOK", "a-very-long-…  succeeded    1s");
  }

  @Test
  void a_terminal_too_narrow_for_what_cannot_be_cut_is_overrun() {
    table.add(Cell.of("a-very-long-key-indeed"), Cell.word("succeeded"), Cell.of("1s"));

    assertThat(printed(OptionalInt.of(10), false)).last().isEqualTo("a-very-…  succeeded    1s");
  }

  @Test
  void words_have_their_colour_and_blanks_have_none() {
    table.add(Cell.of("x"), Cell.word("failed"), Cell.of(""));

    assertThat(printed(OptionalInt.empty(), true))
        .last()
        .isEqualTo("x    \u001b[31mfailed\u001b[0m");
  }

  @Test
  void texts_of_others_cannot_steer_the_terminal() {
    table.add(Cell.of("evil\u001b[2J\u202egnp\n"), Cell.of(""), Cell.of(""));

    assertThat(printed(OptionalInt.empty(), false)).last().isEqualTo("evil\\u001b[2J\\u202egnp\\n");
  }

  @Test
  void wide_letters_count_twice() {
    table.add(Cell.of("日本"), Cell.of("e\u0301"), Cell.of("1"));

    assertThat(printed(OptionalInt.empty(), false))
        .containsExactly("KEY   STATE  TOOK", "日本  e\u0301         1");
  }

  private List<String> printed(OptionalInt width, boolean colour) {
    var text = new StringWriter();
    table.print(TerminalWriter.around(new PrintWriter(text, true)), width, new Palette(colour));
    return text.toString().lines().toList();
  }
}
