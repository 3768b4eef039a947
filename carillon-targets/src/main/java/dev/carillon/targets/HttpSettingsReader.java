package dev.carillon.targets;

import dev.carillon.time.DurationText;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the settings of a target that is called over HTTP and collects what is wrong with them. */
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
              "maxConcurrent"),
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
  private static final int MOST_SECRETS = 5;

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
    HttpTargetSettings settings = gathered();
    refuseFaults();
    return settings;
  }

  /** Read the settings of an executor, which say besides how it tells that the work is done. */
  ExecutorSettings readExecutor() {
    HttpTargetSettings settings = gathered();
    ExecutorSettings.Completion completion = completion();
    refuseFaults();
    return new ExecutorSettings(settings, completion);
  }

  private void refuseFaults() {
    if (!faults.isEmpty()) {
      throw new SettingsException(faults);
    }
  }

  private HttpTargetSettings gathered() {
    json.keySet().stream().filter(name -> !names.contains(name)).forEach(this::unknown);
    if (json.get("type") != null && !type.equals(json.get("type"))) {
      fault("/type", "must be \"" + type + "\" here");
    }
    URI url = url();
    String method = method();
    Map<String, String> headers = headers();
    List<String> secrets = secrets();
    Duration timeout = timeout();
    Optional<Duration> reportTimeout = reportTimeout();
    Optional<URI> statusUrl = statusUrl();
    int concurrent = concurrent();
    return new HttpTargetSettings(
        url, method, headers, secrets, timeout, reportTimeout, statusUrl, concurrent);
  }

  private void unknown(String name) {
    fault(
        pointer(name),
        "there is no such setting; a target of type %s has %s"
            .formatted(type, String.join(", ", names)));
  }

  private URI url() {
    try {
      return EndpointUrl.parse(text("url", ""));
    } catch (IllegalArgumentException e) {
      fault("/url", String.valueOf(e.getMessage()));
      return URI.create("");
    }
  }

  private Optional<URI> statusUrl() {
    if (json.get("statusUrl") == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(EndpointUrl.parse(text("statusUrl", "")));
    } catch (IllegalArgumentException e) {
      fault("/statusUrl", String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private String method() {
    String method = names.contains("method") ? text("method", "POST") : "POST";
    if (!METHODS.contains(method)) {
      fault("/method", "must be POST, PUT or PATCH; was '" + Printable.line(method, 30) + "'");
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
    if (!(several instanceof List<?> list) || list.isEmpty() || list.size() > MOST_SECRETS) {
      fault("/secrets", "must be a list of 1 to " + MOST_SECRETS + " texts");
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

  private Duration timeout() {
    String text = text("timeout", HttpTargetSettings.USUAL_TIMEOUT.toString());
    try {
      Duration timeout = DurationText.parse(text);
      if (timeout.compareTo(HttpTargetSettings.SHORTEST_TIMEOUT) >= 0
          && timeout.compareTo(HttpTargetSettings.LONGEST_TIMEOUT) <= 0) {
        return timeout;
      }
    } catch (IllegalArgumentException notADuration) {
      // said below
    }
    fault(
        "/timeout",
        "must be a duration from %s to %s, such as 30s or PT30S; was '%s'"
            .formatted(
                HttpTargetSettings.SHORTEST_TIMEOUT,
                HttpTargetSettings.LONGEST_TIMEOUT,
                Printable.line(text, 50)));
    return HttpTargetSettings.USUAL_TIMEOUT;
  }

  private ExecutorSettings.Completion completion() {
    String word = text("completion", ExecutorSettings.Completion.REPORTED.word());
    Optional<ExecutorSettings.Completion> completion = ExecutorSettings.Completion.named(word);
    if (completion.isEmpty()) {
      fault(
          "/completion",
          "must be accepted or reported; was '%s'".formatted(Printable.line(word, 30)));
    }
    return completion.orElse(ExecutorSettings.Completion.REPORTED);
  }

  private Optional<Duration> reportTimeout() {
    if (json.get("reportTimeout") == null) {
      return Optional.empty();
    }
    String text = text("reportTimeout", "");
    try {
      Duration timeout = DurationText.parse(text);
      if (timeout.compareTo(HttpTargetSettings.SHORTEST_REPORT_TIMEOUT) >= 0
          && timeout.compareTo(HttpTargetSettings.LONGEST_REPORT_TIMEOUT) <= 0) {
        return Optional.of(timeout);
      }
    } catch (IllegalArgumentException notADuration) {
      // said below
    }
    fault(
        "/reportTimeout",
        "must be a duration from %s to %s, such as PT2H; was '%s'"
            .formatted(
                HttpTargetSettings.SHORTEST_REPORT_TIMEOUT,
                HttpTargetSettings.LONGEST_REPORT_TIMEOUT,
                Printable.line(text, 50)));
    return Optional.empty();
  }

  private int concurrent() {
    Object value = json.get("maxConcurrent");
    if (value == null) {
      return HttpTargetSettings.USUAL_CONCURRENT;
    }
    boolean whole = value instanceof Long || value instanceof Integer;
    long number = whole ? ((Number) value).longValue() : 0;
    if (number < 1 || number > HttpTargetSettings.MOST_CONCURRENT) {
      fault(
          "/maxConcurrent",
          "must be a whole number from 1 to " + HttpTargetSettings.MOST_CONCURRENT);
    }
    return (int) number;
  }

  private String text(String name, String otherwise) {
    Object value = json.get(name);
    if (value == null || value instanceof String) {
      return value == null ? otherwise : (String) value;
    }
    fault("/" + name, "must be a text");
    return otherwise;
  }

  private void fault(String pointer, String message) {
    faults.add(new SettingsException.Fault(pointer, message));
  }

  private static String pointer(String name) {
    return "/" + Printable.line(name, 100).replace("~", "~0").replace("/", "~1");
  }
}
