package dev.carillon.cli.calendar;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.file.Document;
import java.util.List;

/** A calendar or quiet hours in a file, which may be as the server shows them. */
public final class RuleDocument {
  /** What the server adds to what it was given. */
  static final List<String> ADDED =
      List.of(
          "name", "version", "reason", "updatedAt", "updatedBy", "warnings", "slots", "replanned");

  private RuleDocument() {}

  /** Return what the document says, as the server takes it. */
  public static Document definition(Document document) {
    if (!(document.body() instanceof ObjectNode object)) {
      return document;
    }
    ObjectNode body = object.deepCopy();
    body.remove("kind");
    body.remove(ADDED);
    return document.with(body);
  }
}
