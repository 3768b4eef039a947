package dev.carillon.cli.ping;

import java.nio.charset.StandardCharsets;

/** The last bytes of what a process prints, as text that a ping can carry. */
final class OutputTail {
  static final int MAX_BYTES = 10_000;

  private final byte[] ring = new byte[MAX_BYTES];
  private long written;

  synchronized void add(byte[] bytes, int length) {
    for (int i = 0; i < length; i++) {
      ring[(int) (written++ % MAX_BYTES)] = bytes[i];
    }
  }

  /** Return it as text: what is no UTF-8, and NUL, becomes a replacement character. */
  synchronized String text() {
    int length = (int) Math.min(written, MAX_BYTES);
    var bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = ring[(int) ((written - length + i) % MAX_BYTES)];
    }
    String text = new String(bytes, StandardCharsets.UTF_8).replace('\0', '\uFFFD');
    int from = 0;
    for (int excess = size(text) - MAX_BYTES; excess > 0; ) {
      int point = text.codePointAt(from);
      excess -= size(Character.toString(point));
      from += Character.charCount(point);
    }
    return text.substring(from);
  }

  private static int size(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
