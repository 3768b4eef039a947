package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Environment;
import dev.carillon.cli.file.Document;
import dev.carillon.cli.file.UnreadableException;
import dev.carillon.template.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps secrets out of the files that define targets: there they are {@code ${VARIABLE}}, or the
 * name of a file ({@code secretFile}). What they stand for is in no message.
 *
 * <p>Where headers are templates, the placeholders of these are left to the server, and what a
 * variable holds is no template.
 */
record SecretReferences(Environment environment) {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]*)\\}");
  private static final Pattern IN_TEMPLATE = Pattern.compile("(\\$+)\\{([^}]*)\\}");

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
      boolean template = body.path("template").asBoolean();
      for (Map.Entry<String, JsonNode> header : written.path("headers").properties()) {
        if (header.getValue().isTextual()) {
          String text = header.getValue().asText();
          headers.put(
              header.getKey(),
              template ? expandedTemplate(target, text) : expanded(target, "/headers", text));
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
        found -> Matcher.quoteReplacement(variable(target, pointer, found.group(1))));
  }

  private String expandedTemplate(Document target, String text) {
    return IN_TEMPLATE
        .matcher(text)
        .replaceAll(
            found -> {
              int dollars = found.group(1).length();
              if (dollars % 2 == 0 || Template.isPlaceholder(found.group(2))) {
                return Matcher.quoteReplacement(found.group());
              }
              String value = "$".repeat(dollars / 2) + variable(target, "/headers", found.group(2));
              return Matcher.quoteReplacement(literal(value, text.substring(found.end())));
            });
  }

  /* What follows decides whether dollars at the end would begin a placeholder. */
  private static String literal(String value, String rest) {
    boolean beforeBrace = rest.replaceFirst("^\\$+", "").startsWith("{");
    String escaped = Template.escaped(beforeBrace ? value + "{" : value);
    return beforeBrace ? escaped.substring(0, escaped.length() - 1) : escaped;
  }

  private String variable(Document target, String pointer, String name) {
    String value = environment.environment().get(name);
    if (value == null || value.isEmpty()) {
      throw new UnreadableException(
          "%s: the variable %s is not set".formatted(target.place(pointer), name));
    }
    return value;
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
