package dev.carillon.template;

import dev.carillon.model.Definition;
import dev.carillon.model.IdempotencyKey;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.policy.RunPolicy;
import dev.carillon.time.InvalidValueException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** The payload of an attempt: what was stored, with its placeholders filled in if it has any. */
public final class RunPayload {
  private RunPayload() {}

  /**
   * Return the payload of the attempt that {@code run} is at; of its first, if there was none.
   *
   * @throws TemplateException if it cannot be made
   */
  public static Payload of(Run run) {
    return of(run, PayloadTemplate::parse);
  }

  /** Return the same with templates that are made, or found, by {@code templates}. */
  public static Payload of(Run run, Function<Payload, PayloadTemplate> templates) {
    if (run.policy().template().isEmpty()) {
      return run.payload();
    }
    ZoneId zone = zone(run.policy().template().get());
    try {
      return templates.apply(run.payload()).expand(TemplateValues.of(run, zone));
    } catch (TemplateSyntaxException e) { // it was not checked, or by other rules
      throw new TemplateException(TemplateException.FAILED, String.valueOf(e.getMessage()));
    }
  }

  private static ZoneId zone(String id) {
    try {
      return ZoneId.of(id);
    } catch (DateTimeException e) {
      throw new TemplateException(
          TemplateException.FAILED,
          "this Java knows no time zone '%s'; update it, or choose another zone".formatted(id));
    }
  }

  /**
   * Refuse {@code definition} if its payload is a template and cannot be filled in.
   *
   * @param slot a slot to try it with
   * @throws InvalidValueException naming the place, and the cure
   */
  public static void check(String key, Definition definition, Instant slot) {
    check(() -> example(key, definition, slot, slot));
  }

  /**
   * Refuse the payload of a run without a schedule if it is a template and cannot be filled in.
   *
   * @throws InvalidValueException naming the place, and the cure
   */
  public static void check(Payload payload, RunPolicy policy, Instant slot, Instant dueAt) {
    check(() -> example(Optional.empty(), payload, policy, slot, dueAt));
  }

  /** Refuse the payload of {@code run} if it is a template and cannot be filled in. */
  public static void check(Run run) {
    check(
        () ->
            run.policy()
                .template()
                .map(zone -> TemplateValues.of(run, zone(zone)))
                .map(values -> PayloadTemplate.parse(run.payload()).expand(values)));
  }

  private static void check(Supplier<Optional<Payload>> filling) {
    try {
      var unused = filling.get();
    } catch (TemplateException e) {
      throw new InvalidValueException("payload", String.valueOf(e.getMessage()));
    }
  }

  /** Return the payload of the first attempt of a run; empty if it is no template. */
  public static Optional<Payload> example(
      String key, Definition definition, Instant slot, Instant dueAt) {
    return example(Optional.of(key), definition.payload(), definition.policy(), slot, dueAt);
  }

  private static Optional<Payload> example(
      Optional<String> key, Payload payload, RunPolicy policy, Instant slot, Instant dueAt) {
    var id = new RunId(0, slot, 0);
    return policy
        .template()
        .map(
            zone ->
                PayloadTemplate.parse(payload)
                    .expand(
                        new TemplateValues(
                            slot,
                            dueAt,
                            zone(zone),
                            key,
                            id.toString(),
                            IdempotencyKey.of(id, key),
                            1)));
  }
}
