package dev.carillon.cli.calendar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.file.Document;
import dev.carillon.cli.file.Documents;
import dev.carillon.cli.file.UnreadableException;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.RefusedException;
import dev.carillon.cli.remote.Session;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What {@code -f} gives of a calendar or of quiet hours, and where its mistakes are. */
final class DefinitionFile {
  private final Optional<Document> document;

  private DefinitionFile(Optional<Document> document) {
    this.document = document;
  }

  static DefinitionFile read(Session session, @Nullable String file) {
    if (file == null) {
      return new DefinitionFile(Optional.empty());
    }
    try {
      List<Document> documents = new Documents(session.environment()).read(List.of(file));
      if (documents.size() != 1) {
        throw Session.wrong("%s must have one document; it has %d", file, documents.size());
      }
      return new DefinitionFile(Optional.of(documents.get(0)));
    } catch (UnreadableException e) {
      throw new CommandFailure(Exit.USAGE, e);
    }
  }

  /** Return what it says, to which options can be added. */
  ObjectNode body() {
    ObjectNode body = Json.object();
    document.ifPresent(
        known -> {
          if (!(known.body() instanceof ObjectNode object)) {
            throw Session.wrong("the file must have an object, with fields such as zone");
          }
          body.setAll(object);
        });
    body.remove(RuleDocument.ADDED);
    return body;
  }

  /** Send {@code call}; a mistake is told with its place in the file. */
  JsonNode send(Session session, Call call) {
    try {
      return session.ask(call);
    } catch (RefusedException e) {
      if (document.isEmpty() || e.faults().isEmpty()) {
        throw e;
      }
      throw new CommandFailure(
          e.exitCode(),
          e.faults().stream()
              .map(fault -> document.get().place(fault.pointer()) + ": " + fault.message())
              .collect(Collectors.joining("\n  ", "nothing was changed\n  ", "")));
    }
  }
}
