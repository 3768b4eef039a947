package dev.carillon.targets.http;

import dev.carillon.model.Payload;
import dev.carillon.target.RunContext;
import dev.carillon.template.JsonTemplate;
import dev.carillon.template.Template;
import dev.carillon.template.TemplateException;
import dev.carillon.template.TemplateValues;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The templates of the messages to one endpoint.
 *
 * @param headers the values of additional headers by name
 * @param body the body, if it is not the message event
 */
public record MessageTemplate(Map<String, Template> headers, Optional<JsonTemplate> body) {
  public MessageTemplate {
    headers = Map.copyOf(headers);
  }

  /** Return what placeholders stand for in an attempt of a run. */
  static TemplateValues values(RunContext run, ZoneId zone) {
    return new TemplateValues(
        run.slot(),
        run.dueAt(),
        zone,
        run.schedule(),
        run.id().toString(),
        run.idempotencyKey(),
        run.attempt());
  }

  /** Return what placeholders stand for in a test message, which belongs to no run. */
  static TemplateValues testValues(String id, Instant now) {
    return new TemplateValues(now, now, ZoneOffset.UTC, Optional.empty(), id, id, 1);
  }

  /**
   * Fill in the templates.
   *
   * @throws TemplateException if the payload lacks a value, a header would be none, or the body too
   *     large
   */
  MessageParts expand(TemplateValues values, Payload payload) {
    Map<String, @Nullable Object> content = payload.content();
    var filled = new LinkedHashMap<String, String>();
    int total = 0;
    for (Map.Entry<String, Template> header : headers.entrySet()) {
      String value = header(header.getKey(), header.getValue(), values, content);
      total += header.getKey().length() + value.length();
      filled.put(header.getKey(), value);
    }
    if (total > HeaderRules.MAX_TOTAL_LENGTH) {
      throw new TemplateException(
          TemplateException.TOO_LARGE,
          "with their placeholders filled in, the headers have more than %s characters together; shorten them"
              .formatted(HeaderRules.MAX_TOTAL_LENGTH));
    }
    return new MessageParts(
        filled, body.map(json -> json.expand(values, content, Payload.MAX_SIZE)));
  }

  /* Its value is not shown, as it may hold a secret. */
  private static String header(
      String name, Template template, TemplateValues values, Map<String, ?> payload) {
    String value = template.expand(values, payload, Payload.MAX_SIZE);
    if (!HeaderRules.isValue(value)) {
      throw new TemplateException(
          TemplateException.FAILED,
          "with its placeholders filled in, the header %s is not up to %s plain ASCII characters in one line; change the payload, or what the header takes from it"
              .formatted(name, HeaderRules.MAX_VALUE_LENGTH));
    }
    return value;
  }
}
