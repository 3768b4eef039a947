package dev.carillon.cli.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Table.Cell;
import dev.carillon.cli.console.Table.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** How things of one kind are listed for people: the titles, and what stands below each. */
public final class TableLayout {
  private final List<Column> columns = new ArrayList<>();
  private final List<BiFunction<JsonNode, Output, Cell>> cells = new ArrayList<>();
  private Optional<BiFunction<JsonNode, Output, String>> lastIfAny = Optional.empty();

  /** Add a column with the texts at {@code pointer}, which can be long. */
  public TableLayout text(String title, String pointer) {
    return text(title, thing -> Json.text(thing, pointer));
  }

  /** Add a column of texts that can be long. */
  public TableLayout text(String title, Function<JsonNode, String> text) {
    return add(Column.text(title), (thing, output) -> Cell.of(text.apply(thing)));
  }

  /** Add a column of texts that can be long, and may tell when something is. */
  public TableLayout text(String title, BiFunction<JsonNode, Output, String> text) {
    return add(Column.text(title), (thing, output) -> Cell.of(text.apply(thing, output)));
  }

  /** Add such a column as the last, which is left out where there is nothing in it. */
  public TableLayout textIfAny(String title, BiFunction<JsonNode, Output, String> text) {
    lastIfAny = Optional.of(text);
    return text(title, text);
  }

  /** Add a column with the words at {@code pointer}, which are useless when cut. */
  public TableLayout word(String title, String pointer) {
    return word(title, (thing, output) -> Json.text(thing, pointer));
  }

  /** Add a column of words, which are useless when cut. */
  public TableLayout word(String title, BiFunction<JsonNode, Output, String> word) {
    return add(Column.word(title), (thing, output) -> Cell.of(word.apply(thing, output)));
  }

  /**
   * Add a column with the states at {@code pointer}, each in its colour; a dash if there is none.
   */
  public TableLayout state(String title, String pointer) {
    return add(
        Column.word(title),
        (thing, output) -> {
          String state = Json.text(thing, pointer);
          return Cell.word(state.isEmpty() ? "-" : state);
        });
  }

  /** Add a column with the numbers at {@code pointer}. */
  public TableLayout number(String title, String pointer) {
    return number(title, thing -> Json.text(thing, pointer));
  }

  /** Add a column of numbers. */
  public TableLayout number(String title, Function<JsonNode, String> number) {
    return add(Column.number(title), (thing, output) -> Cell.of(number.apply(thing)));
  }

  /** Add a column that tells when the instants at {@code pointer} are. */
  public TableLayout when(String title, String pointer) {
    return word(title, (thing, output) -> output.when(thing, pointer));
  }

  private boolean isLastEmpty(JsonNode things, Output output) {
    if (lastIfAny.isEmpty()) {
      return false;
    }
    for (JsonNode thing : things) {
      if (!lastIfAny.get().apply(thing, output).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  private TableLayout add(Column column, BiFunction<JsonNode, Output, Cell> cell) {
    columns.add(column);
    cells.add(cell);
    return this;
  }

  /** Print a line for each of {@code things}. */
  public void print(JsonNode things, Output output) {
    int width = columns.size() - (isLastEmpty(things, output) ? 1 : 0);
    var table = new Table(columns.stream().limit(width).toArray(Column[]::new));
    for (JsonNode thing : things) {
      table.add(
          cells.stream().limit(width).map(cell -> cell.apply(thing, output)).toArray(Cell[]::new));
    }
    output.table(table);
  }
}
