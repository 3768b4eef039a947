package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Environment;
import dev.carillon.cli.file.Document;
import dev.carillon.cli.file.UnreadableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps secrets out of the files that define targets: there they are {@code ${VARIABLE}}, or the
 * name of a file ({@code secretFile}). What they stand for is in no message.
 */
record SecretReferences(Environment environment) {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]*)\\}");

  /** Return {@code target} with what its references stand for. */
  Document resolved(Document target) {
    if (!(target.body() instanceof ObjectNode written)) {
      return target;
    }
    ObjectNode body = written.deepCopy();
    if (body.path("secret").isTextual()) {
      body.put("secret", expanded(target, "/secret", body.path("secret").asText()));
    }
    if (body.get("secrets") instanceof ArrayNode secrets) {
      for (int i = 0; i < secrets.size(); i++) {
        if (secrets.get(i).isTextual()) {
          secrets.set(i, expanded(target, "/secrets/" + i, secrets.get(i).asText()));
        }
      }
    }
    if (body.get("headers") instanceof ObjectNode headers) {
      for (Map.Entry<String, JsonNode> header : written.path("headers").properties()) {
        if (header.getValue().isTextual()) {
          headers.put(header.getKey(), expanded(target, "/headers", header.getValue().asText()));
        }
      }
    }
    JsonNode file = body.remove("secretFile");
    if (file != null) {
      body.put("secret", content(target, file.asText()));
    }
    return target.with(body);
  }

  private String expanded(Document target, String pointer, String text) {
    Matcher references = VARIABLE.matcher(text);
    return references.replaceAll(
        found -> {
          String value = environment.environment().get(found.group(1));
          if (value == null || value.isEmpty()) {
            throw new UnreadableException(
                "%s: the variable %s is not set".formatted(target.place(pointer), found.group(1)));
          }
          return Matcher.quoteReplacement(value);
        });
  }

  /* Relative to the file that names it. */
  private String content(Document target, String name) {
    Path source = environment.folder().resolve(target.source());
    Path folder = source.getParent() == null ? environment.folder() : source.getParent();
    try {
      return Files.readString(folder.resolve(name)).replaceFirst("\\R$", "");
    } catch (IOException e) {
      throw new UnreadableException(
          "%s: %s cannot be read".formatted(target.place("/secretFile"), folder.resolve(name)));
    }
  }
}
