package dev.carillon.cli.console;

import dev.carillon.json.PrintableText;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Writes to stdout or stderr: escapes whatever could steer a terminal, wherever it came from,
 * except for what this program itself marked as its own.
 *
 * <p>The mark is another one in each process, so that no text from elsewhere can have it.
 */
public final class TerminalWriter extends Writer {
  /** Takes the line away on which the cursor is. */
  public static final String ERASE_LINE;

  private static final String MARK;

  static {
    var chance = new byte[12];
    new SecureRandom().nextBytes(chance);
    MARK = "\u001b{" + HexFormat.of().formatHex(chance) + "}";
    ERASE_LINE = own("\r\u001b[K");
  }

  private final Writer out;
  private boolean own;
  private String pending = "";

  private TerminalWriter(Writer out) {
    this.out = out;
  }

  /** Return what writes to {@code out} in this way, and flushes after each line. */
  public static PrintWriter around(PrintWriter out) {
    return new PrintWriter(new TerminalWriter(out), true);
  }

  /** Mark {@code text}, which must have nothing from elsewhere in it, to be written as it is. */
  public static String own(String text) {
    return MARK + text + MARK;
  }

  @Override
  public void write(char[] text, int offset, int length) throws IOException {
    write(new String(text, offset, length));
  }

  @Override
  public void write(String text, int offset, int length) throws IOException {
    write(text.substring(offset, offset + length));
  }

  @Override
  public void write(String added) throws IOException {
    String text = pending + added;
    int end = text.length();
    if (end > 0 && Character.isHighSurrogate(text.charAt(end - 1))) {
      end--; // its other half may follow
    }
    pending = text.substring(end);
    text = text.substring(0, end);
    int from = 0;
    for (int mark = text.indexOf(MARK); mark >= 0; mark = text.indexOf(MARK, from)) {
      part(text.substring(from, mark));
      own = !own;
      from = mark + MARK.length();
    }
    part(text.substring(from));
  }

  private void part(String text) throws IOException {
    out.write(own ? text : escaped(text));
  }

  /* A line of this program ends as lines of its system do. */
  private static String escaped(String text) {
    String end = System.lineSeparator();
    String lines = PrintableText.lines(text.replace(end, "\n")).replace("\t", "\\t");
    return end.equals("\n") ? lines : lines.replace("\n", end);
  }

  @Override
  public void flush() throws IOException {
    if (!pending.isEmpty()) {
      String rest = pending;
      pending = "";
      part(rest);
    }
    out.flush();
  }

  @Override
  public void close() {
    try {
      flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
