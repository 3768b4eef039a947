package dev.carillon.cli.file;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Environment;
import dev.carillon.cli.console.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Finds and reads definitions: files, folders with files, or stdin. */
public record Documents(Environment environment) {
  /**
   * Read all of {@code sources} in their order; the files of a folder in the order of their names.
   *
   * @throws UnreadableException if one of them cannot be read
   */
  public List<Document> read(List<String> sources) {
    return sources.stream().flatMap(source -> read(source).stream()).toList();
  }

  private List<Document> read(String source) {
    if (source.equals("-")) {
      return parse("stdin", bytes("stdin", environment.in()::readAllBytes));
    }
    Path path = environment.folder().resolve(source);
    if (!Files.isDirectory(path)) {
      return parse(source, bytes(source, () -> Files.readAllBytes(path)));
    }
    var documents = new ArrayList<Document>();
    for (Path file : Folder.files(path, source)) {
      String name = Path.of(source).resolve(file).normalize().toString();
      documents.addAll(parse(name, bytes(name, () -> Files.readAllBytes(path.resolve(file)))));
    }
    return documents;
  }

  /**
   * Read one value, YAML or JSON, that stands in an option.
   *
   * @throws UnreadableException if it is neither
   */
  public static JsonNode inline(String option, String text) {
    List<Document> documents = YamlFile.read(option, text);
    if (documents.size() != 1) {
      throw new UnreadableException("%s: '%s' is not one value".formatted(option, text));
    }
    return documents.get(0).body();
  }

  /** Reads something that may not be there. */
  private interface Reading {
    byte[] bytes() throws IOException;
  }

  private static byte[] bytes(String name, Reading reading) {
    try {
      return reading.bytes();
    } catch (IOException e) {
      throw new UnreadableException(
          "%s cannot be read: no such file, or not yours".formatted(name));
    }
  }

  private static List<Document> parse(String source, byte[] bytes) {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new UnreadableException("%s is not a text in UTF-8".formatted(source));
    }
    String start = text.stripLeading();
    boolean json =
        source.endsWith(".json")
            || (source.equals("stdin") && (start.startsWith("{") || start.startsWith("[")));
    List<Document> documents = json ? JsonFile.read(source, text) : YamlFile.read(source, text);
    return documents.stream().flatMap(Documents::each).toList();
  }

  /* A list stands for the documents in it. */
  private static Stream<Document> each(Document document) {
    JsonNode body = document.body();
    if (!body.isArray()) {
      return Stream.of(document);
    }
    var items = new ArrayList<Document>();
    for (int i = 0; i < body.size(); i++) {
      items.add(
          new Document(
              document.source(),
              document.number() + i,
              body.get(i),
              document.part("/" + i).lines()));
    }
    return items.stream();
  }

  /** Return the text of a field of {@code document} that every definition has to have. */
  public static String required(Document document, String field) {
    JsonNode value = document.body().path(field);
    if (!document.body().isObject()) {
      throw new UnreadableException(
          "%s: a definition is an object with fields, not %s"
              .formatted(document.place(), Json.write(document.body())));
    }
    if (!value.isTextual() || value.asText().isBlank()) {
      throw new UnreadableException(
          "%s: '%s' is missing; it must be a text".formatted(document.place(), field));
    }
    return value.asText();
  }
}
