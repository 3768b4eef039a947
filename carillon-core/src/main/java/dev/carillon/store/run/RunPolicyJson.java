package dev.carillon.store.run;

import dev.carillon.definition.DefinitionFields;
import dev.carillon.json.Json;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.RunPolicy;
import dev.carillon.store.jdbc.EnumText;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The stored form of the policy of a run, without default values. */
public final class RunPolicyJson {
  private RunPolicyJson() {}

  /** Return the JSON of a policy; empty for the default. */
  public static Optional<String> of(RunPolicy policy) {
    if (policy.equals(RunPolicy.DEFAULT)) {
      return Optional.empty();
    }
    Map<String, @Nullable Object> json = DefinitionFields.store(policy);
    if (policy.attemptsBefore() > 0) {
      json.put("attemptsBefore", policy.attemptsBefore());
    }
    if (!policy.description().isEmpty()) { // of a schedule, the definition has it
      json.put("description", policy.description());
    }
    policy.template().ifPresent(zone -> json.put("template", zone));
    return Optional.of(Json.write(json));
  }

  /** Read what {@link #of} wrote. */
  static RunPolicy read(Optional<String> json) {
    return json.map(Json::readObject).map(RunPolicyJson::read).orElse(RunPolicy.DEFAULT);
  }

  private static RunPolicy read(Map<String, @Nullable Object> json) {
    RunPolicy policy = DefinitionFields.restore(json);
    if (json.get("attemptsBefore") instanceof Long before) {
      policy = policy.renewedAfter(Math.toIntExact(before));
    }
    if (json.get("template") instanceof String zone) {
      policy = policy.template(zone);
    }
    return json.get("description") instanceof String description
        ? policy.describedAs(description)
        : policy;
  }

  /** Return the stored overlap rule of a run; empty if it may overlap. */
  public static Optional<String> stored(Overlap overlap) {
    return overlap.exclusive() ? Optional.of(of(overlap)) : Optional.empty();
  }

  /** Return an overlap rule as one word, with the cap of a queue after a colon. */
  static String of(Overlap overlap) {
    String rule = EnumText.of(overlap.rule());
    return overlap.queueLimit() == 0 ? rule : rule + ":" + overlap.queueLimit();
  }

  /** Read what {@link #of(Overlap)} wrote. */
  static Overlap readOverlap(String text) {
    int colon = text.indexOf(':');
    return colon < 0
        ? new Overlap(EnumText.read(Overlap.Rule.class, text), 0)
        : new Overlap(
            EnumText.read(Overlap.Rule.class, text.substring(0, colon)),
            Integer.parseInt(text.substring(colon + 1)));
  }
}
