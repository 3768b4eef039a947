package dev.carillon.store;

import dev.carillon.json.Json;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Recovery;
import dev.carillon.policy.Retry;
import dev.carillon.policy.RunPolicy;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How policies are written in JSON: what is at its default is left out. */
final class PolicyJson {
  private PolicyJson() {}

  /** Return the JSON of a policy; empty for the default. */
  static Optional<String> of(RunPolicy policy) {
    var json = write(policy);
    if (!policy.description().isEmpty()) { // of a schedule, the definition has it
      json.put("description", policy.description());
    }
    return json.isEmpty() ? Optional.empty() : Optional.of(Json.write(json));
  }

  /** Read what {@link #of} wrote. */
  static RunPolicy read(Optional<String> json) {
    return json.map(Json::readObject).map(PolicyJson::readWhole).orElse(RunPolicy.DEFAULT);
  }

  private static RunPolicy readWhole(Map<String, @Nullable Object> json) {
    return json.get("description") instanceof String description
        ? read(json).describedAs(description)
        : read(json);
  }

  static Map<String, @Nullable Object> write(RunPolicy policy) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    if (!policy.retry().equals(Retry.NONE)) {
      json.put("retry", write(policy.retry()));
    }
    if (policy.recovery() != Recovery.RESUBMIT) {
      json.put("recovery", Words.of(policy.recovery()));
    }
    policy.timeout().ifPresent(timeout -> json.put("timeout", timeout.toString()));
    if (policy.pauseAfterFailures() > 0) {
      json.put("pauseAfterFailures", policy.pauseAfterFailures());
    }
    if (policy.attemptsBefore() > 0) {
      json.put("attemptsBefore", policy.attemptsBefore());
    }
    return json;
  }

  static RunPolicy read(Map<String, @Nullable Object> json) {
    return new RunPolicy(
        json.get("retry") instanceof Map<?, ?> retry ? readRetry(retry) : Retry.NONE,
        json.get("recovery") instanceof String recovery
            ? Words.read(Recovery.class, recovery)
            : Recovery.RESUBMIT,
        Optional.ofNullable(json.get("timeout")).map(text -> Duration.parse((String) text)),
        json.get("pauseAfterFailures") instanceof Long failures ? Math.toIntExact(failures) : 0,
        json.get("attemptsBefore") instanceof Long before ? Math.toIntExact(before) : 0);
  }

  private static Map<String, Object> write(Retry retry) {
    var json = new LinkedHashMap<String, Object>();
    json.put("attempts", retry.attempts());
    json.put("backoff", retry.backoff().toString());
    json.put("factor", BigDecimal.valueOf(retry.factor()));
    json.put("maxBackoff", retry.maxBackoff().toString());
    return json;
  }

  private static Retry readRetry(Map<?, ?> json) {
    return new Retry(
        ((Number) get(json, "attempts")).intValue(),
        Duration.parse((String) get(json, "backoff")),
        ((Number) get(json, "factor")).doubleValue(),
        Duration.parse((String) get(json, "maxBackoff")));
  }

  private static Object get(Map<?, ?> json, String name) {
    Object value = json.get(name);
    if (value == null) {
      throw new IllegalStateException("a stored policy lacks " + name);
    }
    return value;
  }

  /** Return what a run stores of its overlap rule: nothing if it may run beside others. */
  static Optional<String> stored(Overlap overlap) {
    return overlap.exclusive() ? Optional.of(of(overlap)) : Optional.empty();
  }

  /** Return an overlap rule as one word, with the cap of a queue after a colon. */
  static String of(Overlap overlap) {
    String rule = Words.of(overlap.rule());
    return overlap.cap() == 0 ? rule : rule + ":" + overlap.cap();
  }

  /** Read what {@link #of(Overlap)} wrote. */
  static Overlap readOverlap(String text) {
    int colon = text.indexOf(':');
    return colon < 0
        ? new Overlap(Words.read(Overlap.Rule.class, text), 0)
        : new Overlap(
            Words.read(Overlap.Rule.class, text.substring(0, colon)),
            Integer.parseInt(text.substring(colon + 1)));
  }
}
