package dev.carillon.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** What the documents say whose contracts the server speaks, as it stands there. */
final class SourceText {
  private static final Pattern ROUTE = Pattern.compile("`([A-Z]+ /[^`]+)`");
  private static final Pattern COLUMN =
      Pattern.compile("^(?:[0-9]+\\.|\\*) `([a-z_]+)`(?:, `([a-z_]+)`)?", Pattern.MULTILINE);

  private SourceText() {}

  static String of(String name) {
    try (InputStream file = SourceText.class.getResourceAsStream("/sources/" + name)) {
      if (file == null) {
        throw new IllegalArgumentException(name + " is not there");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Return the routes a document lists, with parameters named as ours are. */
  static List<String> routes(String name) {
    return ROUTE
        .matcher(of(name))
        .results()
        .map(route -> route.group(1).replaceAll(":[a-zA-Z]+", "{id}"))
        .toList();
  }

  /** Return the columns of a table in a document. */
  static List<String> columns(String name) {
    return COLUMN
        .matcher(of(name))
        .results()
        .flatMap(
            row ->
                row.group(2) == null
                    ? List.of(row.group(1)).stream()
                    : List.of(row.group(1), row.group(2)).stream())
        .toList();
  }

  /** Return the names between the braces of a document, some with a question mark. */
  static List<String> names(String name) {
    return List.of(of(name).replaceAll("[{}\\s]", "").split(","));
  }

  static String camelCase(String column) {
    return Pattern.compile("_([a-z])")
        .matcher(column)
        .replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT));
  }
}
