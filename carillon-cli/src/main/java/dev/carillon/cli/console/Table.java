package dev.carillon.cli.console;

import dev.carillon.cli.console.Palette.Style;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Rows below titles, aligned, and cut to the width of a terminal. */
public final class Table {
  private static final String GAP = "  ";
  private static final int MIN_COLUMN_WIDTH = 8;

  private final List<Column> columns;
  private final List<List<Cell>> rows = new ArrayList<>();

  /**
   * A column.
   *
   * @param title above it
   * @param right whether it is aligned to the right, as numbers are
   * @param mayShrink whether its texts may be cut when the table is too wide
   */
  public record Column(String title, boolean right, boolean mayShrink) {
    /** Return a column of texts that can be long. */
    public static Column text(String title) {
      return new Column(title, false, true);
    }

    /** Return a column of words and times, which are useless when cut. */
    public static Column word(String title) {
      return new Column(title, false, false);
    }

    /** Return a column of numbers. */
    public static Column number(String title) {
      return new Column(title, true, false);
    }
  }

  /** A text and what it looks like. */
  public record Cell(String text, Style style) {
    public Cell {
      text = TerminalText.line(text);
    }

    /** Return a cell that looks like every other. */
    public static Cell of(String text) {
      return new Cell(text, Style.PLAIN);
    }

    /** Return a cell whose look depends on the word in it. */
    public static Cell word(String text) {
      return new Cell(text, Palette.of(text));
    }
  }

  public Table(Column... columns) {
    this.columns = List.of(columns);
  }

  /** Add a row. */
  public void add(Cell... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          "a row needs %s cells; had %s".formatted(columns.size(), cells.length));
    }
    rows.add(List.of(cells));
  }

  /** Print, no wider than {@code width} if that can be. */
  public void print(PrintWriter out, OptionalInt width, Palette palette) {
    int[] widths = widths();
    width.ifPresent(limit -> shrink(widths, limit));
    var titles = columns.stream().map(column -> new Cell(column.title(), Style.FAINT)).toList();
    print(titles, widths, out, palette);
    rows.forEach(row -> print(row, widths, out, palette));
  }

  private int[] widths() {
    return IntStream.range(0, columns.size())
        .map(
            i ->
                Math.max(
                    TerminalText.width(columns.get(i).title()),
                    rows.stream()
                        .mapToInt(row -> TerminalText.width(row.get(i).text()))
                        .max()
                        .orElse(0)))
        .toArray();
  }

  private void shrink(int[] widths, int limit) {
    int excess = IntStream.of(widths).sum() + GAP.length() * (widths.length - 1) - limit;
    for (; excess > 0; excess--) {
      int widest = -1;
      for (int i = 0; i < widths.length; i++) {
        boolean candidate = columns.get(i).mayShrink() && widths[i] > MIN_COLUMN_WIDTH;
        if (candidate && (widest < 0 || widths[i] > widths[widest])) {
          widest = i;
        }
      }
      if (widest < 0) {
        return;
      }
      widths[widest]--;
    }
  }

  private void print(List<Cell> row, int[] widths, PrintWriter out, Palette palette) {
    var line = new StringBuilder();
    int owed = 0; // blanks that only matter if something follows
    for (int i = 0; i < row.size(); i++) {
      String text = TerminalText.fit(row.get(i).text(), widths[i]);
      int blanks = widths[i] - TerminalText.width(text);
      int before = columns.get(i).right() ? blanks : 0;
      if (!text.isEmpty()) {
        line.append(" ".repeat(owed + before)).append(palette.paint(row.get(i).style(), text));
        owed = blanks - before;
      } else {
        owed += widths[i];
      }
      owed += GAP.length();
    }
    out.println(line);
  }
}
