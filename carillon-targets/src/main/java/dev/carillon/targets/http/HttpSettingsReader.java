package dev.carillon.targets.http;

import dev.carillon.targets.SafeText;
import dev.carillon.targets.SettingsException;
import dev.carillon.template.JsonTemplate;
import dev.carillon.template.Template;
import dev.carillon.template.TemplateSyntaxException;
import dev.carillon.time.DurationText;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Parses the settings of a target that is called over HTTP and collects their faults. */
final class HttpSettingsReader {
  private static final Map<String, List<String>> NAMES =
      Map.of(
          "http",
          List.of(
              "type",
              "url",
              "method",
              "headers",
              "secret",
              "secrets",
              "timeout",
              "reportTimeout",
              "statusUrl",
              "maxConcurrent",
              "template",
              "body"),
          "workflow",
          List.of(
              "type",
              "url",
              "headers",
              "secret",
              "secrets",
              "timeout",
              "completion",
              "reportTimeout",
              "maxConcurrent"));
  private static final Set<String> METHODS = Set.of("POST", "PUT", "PATCH");
  private static final int MAX_SECRETS = 5;

  private final Map<String, ? extends @Nullable Object> json;
  private final String type;
  private final List<String> names;
  private final List<SettingsException.Fault> faults = new ArrayList<>();

  HttpSettingsReader(Map<String, ? extends @Nullable Object> json, String type) {
    this.json = json;
    this.type = type;
    this.names = NAMES.getOrDefault(type, List.of());
  }

  HttpTargetSettings read() {
    HttpTargetSettings settings = readSettings();
    throwIfFaulty();
    return settings;
  }

  /** Parse the settings of an executor, which also have {@code completion}. */
  ExecutorSettings readExecutor() {
    HttpTargetSettings settings = readSettings();
    ExecutorSettings.Completion completion = completion();
    throwIfFaulty();
    return new ExecutorSettings(settings, completion);
  }

  private void throwIfFaulty() {
    if (!faults.isEmpty()) {
      throw new SettingsException(faults);
    }
  }

  private HttpTargetSettings readSettings() {
    json.keySet().stream().filter(name -> !names.contains(name)).forEach(this::unknown);
    if (json.get("type") != null && !type.equals(json.get("type"))) {
      fault("/type", "must be \"" + type + "\" here");
    }
    URI url = url("url");
    String method = method();
    Map<String, String> headers = headers();
    List<String> secrets = secrets();
    Duration timeout =
        duration(
                "timeout",
                HttpTargetSettings.MIN_TIMEOUT,
                HttpTargetSettings.MAX_TIMEOUT,
                "30s or PT30S")
            .orElse(HttpTargetSettings.DEFAULT_TIMEOUT);
    Optional<Duration> reportTimeout =
        duration(
            "reportTimeout",
            HttpTargetSettings.MIN_REPORT_TIMEOUT,
            HttpTargetSettings.MAX_REPORT_TIMEOUT,
            "PT2H");
    Optional<URI> statusUrl =
        json.get("statusUrl") == null ? Optional.empty() : Optional.of(url("statusUrl"));
    int concurrent = concurrent();
    return new HttpTargetSettings(
        url,
        method,
        headers,
        secrets,
        timeout,
        reportTimeout,
        statusUrl,
        concurrent,
        template(headers),
        names.contains("body") ? Optional.ofNullable(json.get("body")) : Optional.empty());
  }

  private Optional<MessageTemplate> template(Map<String, String> headers) {
    Object template = names.contains("template") ? json.get("template") : null;
    Object body = names.contains("body") ? json.get("body") : null;
    if (template != null && !(template instanceof Boolean)) {
      fault("/template", "must be true or false");
      return Optional.empty();
    }
    if (!Boolean.TRUE.equals(template)) {
      if (body != null) {
        fault("/body", "is a template; set template to true, or leave body out");
      }
      return Optional.empty();
    }
    var values = new LinkedHashMap<String, Template>();
    headers.forEach(
        (name, value) ->
            parsed("/headers" + pointer(name), () -> Template.parse(value))
                .ifPresent(parsed -> values.put(name, parsed)));
    return Optional.of(
        new MessageTemplate(
            values,
            Optional.ofNullable(body)
                .flatMap(value -> parsed("/body", () -> JsonTemplate.parse(value)))));
  }

  private <T> Optional<T> parsed(String pointer, Supplier<T> parsing) {
    try {
      return Optional.of(parsing.get());
    } catch (TemplateSyntaxException e) {
      fault(pointer + e.pointer(), e.reason());
      return Optional.empty();
    }
  }

  private void unknown(String name) {
    fault(
        pointer(name),
        "there is no such setting; a target of type %s has %s"
            .formatted(type, String.join(", ", names)));
  }

  private URI url(String name) {
    try {
      return EndpointUrl.parse(text(name, ""));
    } catch (IllegalArgumentException e) {
      fault("/" + name, String.valueOf(e.getMessage()));
      return URI.create("");
    }
  }

  private String method() {
    String method = names.contains("method") ? text("method", "POST") : "POST";
    if (!METHODS.contains(method)) {
      fault("/method", "must be POST, PUT or PATCH; was '" + SafeText.line(method, 30) + "'");
    }
    return method;
  }

  private Map<String, String> headers() {
    Object value = json.get("headers");
    var headers = new LinkedHashMap<String, String>();
    if (value == null) {
      return headers;
    }
    if (!(value instanceof Map<?, ?> map)) {
      fault("/headers", "must be an object with a text for each name");
      return headers;
    }
    var rules = new HeaderRules();
    map.forEach(
        (name, content) -> {
          String header = String.valueOf(name);
          rules.fault(header, content).ifPresent(text -> fault("/headers" + pointer(header), text));
          headers.put(header, String.valueOf(content));
        });
    rules.faultOfAll().ifPresent(text -> fault("/headers", text));
    return headers;
  }

  private List<String> secrets() {
    Object several = json.get("secrets");
    if (several == null) {
      return json.get("secret") == null ? List.of() : secret("/secret", json.get("secret"));
    }
    if (json.get("secret") != null) {
      fault("/secret", "give either secret or secrets, not both");
    }
    if (!(several instanceof List<?> list) || list.isEmpty() || list.size() > MAX_SECRETS) {
      fault("/secrets", "must be a list of 1 to " + MAX_SECRETS + " texts");
      return List.of();
    }
    var secrets = new ArrayList<String>();
    for (int i = 0; i < list.size(); i++) {
      secrets.addAll(secret("/secrets/" + i, list.get(i)));
    }
    return secrets;
  }

  private List<String> secret(String pointer, @Nullable Object value) {
    if (!(value instanceof String secret)) {
      fault(pointer, "must be a text");
      return List.of();
    }
    try {
      WebhookSignature.of(List.of(secret));
    } catch (IllegalArgumentException e) {
      fault(pointer, String.valueOf(e.getMessage()));
    }
    return List.of(secret);
  }

  private ExecutorSettings.Completion completion() {
    String word = text("completion", ExecutorSettings.Completion.REPORTED.word());
    Optional<ExecutorSettings.Completion> completion = ExecutorSettings.Completion.named(word);
    if (completion.isEmpty()) {
      fault(
          "/completion",
          "must be accepted or reported; was '%s'".formatted(SafeText.line(word, 30)));
    }
    return completion.orElse(ExecutorSettings.Completion.REPORTED);
  }

  private Optional<Duration> duration(
      String name, Duration shortest, Duration longest, String examples) {
    if (json.get(name) == null) {
      return Optional.empty();
    }
    String text = text(name, shortest.toString()); // another type of value is one fault, not two
    try {
      Duration duration = DurationText.parse(text);
      if (duration.compareTo(shortest) >= 0 && duration.compareTo(longest) <= 0) {
        return Optional.of(duration);
      }
    } catch (IllegalArgumentException notADuration) {
      // reported below
    }
    fault(
        "/" + name,
        "must be a duration from %s to %s, such as %s; was '%s'"
            .formatted(shortest, longest, examples, SafeText.line(text, 50)));
    return Optional.empty();
  }

  private int concurrent() {
    Object value = json.get("maxConcurrent");
    if (value == null) {
      return HttpTargetSettings.DEFAULT_CONCURRENT;
    }
    boolean whole = value instanceof Long || value instanceof Integer;
    long number = whole ? ((Number) value).longValue() : 0;
    if (number < 1 || number > HttpTargetSettings.MAX_CONCURRENT) {
      fault(
          "/maxConcurrent",
          "must be a whole number from 1 to " + HttpTargetSettings.MAX_CONCURRENT);
    }
    return (int) number;
  }

  private String text(String name, String defaultValue) {
    Object value = json.get(name);
    if (value == null || value instanceof String) {
      return value == null ? defaultValue : (String) value;
    }
    fault("/" + name, "must be a text");
    return defaultValue;
  }

  private void fault(String pointer, String message) {
    faults.add(new SettingsException.Fault(pointer, message));
  }

  private static String pointer(String name) {
    return "/" + SafeText.line(name, 100).replace("~", "~0").replace("/", "~1");
  }
}
