package dev.carillon.json;

/** How many bytes texts have in JSON, as {@link Json#write} writes it. */
public final class JsonSize {
  private JsonSize() {}

  /** Return how many bytes {@code text} has as a JSON string, with its quotes. */
  public static long ofText(String text) {
    long bytes = 2;
    int at = 0;
    while (at < text.length()) {
      int point = text.codePointAt(at);
      bytes +=
          switch (point) {
            case '"', '\\', '\n', '\r', '\t' -> 2;
            default -> JsonWriter.isHalfOfPair(point) ? 3 : bytes(point);
          };
      at += Character.charCount(point);
    }
    return bytes;
  }

  /** Return how many bytes {@code json} has, which is JSON already. */
  public static long ofJson(String json) {
    long bytes = 0;
    int at = 0;
    while (at < json.length()) {
      int point = json.codePointAt(at);
      bytes += point == '\n' || point == '\r' || point == '\t' ? 1 : bytes(point);
      at += Character.charCount(point);
    }
    return bytes;
  }

  private static int bytes(int point) {
    if (!PrintableText.isPrintable(point)) {
      return 6 * Character.charCount(point);
    }
    return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
}
