package dev.carillon.json;

/** How many bytes texts have in JSON. */
public final class JsonSize {
  private JsonSize() {}

  /** Return how many bytes {@code text} has as a JSON string, with its quotes. */
  public static long ofText(String text) {
    long bytes = 2;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      bytes +=
          switch (c) {
            case '"', '\\', '\n', '\r', '\t' -> 2;
            default -> c < 0x20 ? 6 : utf8Bytes(c);
          };
    }
    return bytes;
  }

  /** Return how many bytes {@code json} has as it stands. */
  public static long ofJson(String json) {
    long bytes = 0;
    for (int i = 0; i < json.length(); i++) {
      bytes += utf8Bytes(json.charAt(i));
    }
    return bytes;
  }

  /* Half of a surrogate pair is half of four bytes. */
  private static int utf8Bytes(char c) {
    return c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
  }
}
