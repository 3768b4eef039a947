package dev.carillon.model;

import dev.carillon.json.Json;
import dev.carillon.policy.Expectation;
import dev.carillon.time.InvalidValueException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a caller reaches: of each kind that is given, one of the values must match. Texts are
 * compared as they stand, by case and code point.
 *
 * @param targets labels of targets; empty for any
 * @param tags tags of schedules; empty for any
 * @param keys what keys of schedules begin with; empty for any
 */
public record Scope(List<String> targets, List<String> tags, List<String> keys) {
  /** Everything. */
  public static final Scope ALL = new Scope(List.of(), List.of(), List.of());

  /** The most values of a kind. */
  public static final int MAX_VALUES = 100;

  private static final int MAX_LENGTH = 200;
  private static final Set<String> KINDS = Set.of("targets", "tags", "keys");

  public Scope {
    targets = checked("targets", targets);
    tags = checked("tags", tags);
    keys = checked("keys", keys);
  }

  /**
   * Read a scope as {@link #kinds} writes it.
   *
   * @throws InvalidValueException if it names no kind, an unknown one, or one without values
   */
  public static Scope of(Map<String, ?> kinds) {
    if (kinds.isEmpty() || !KINDS.containsAll(kinds.keySet())) {
      throw new InvalidValueException(
          "a scope has targets, tags or keys, and nothing else; was " + kinds.keySet());
    }
    return new Scope(values(kinds, "targets"), values(kinds, "tags"), values(kinds, "keys"));
  }

  private static List<String> values(Map<String, ?> kinds, String kind) {
    if (!kinds.containsKey(kind)) {
      return List.of();
    }
    if (!(kinds.get(kind) instanceof List<?> values)
        || values.isEmpty()
        || !values.stream().allMatch(String.class::isInstance)) {
      throw new InvalidValueException(kind, "must be a list of texts that is not empty");
    }
    return values.stream().map(String.class::cast).toList();
  }

  private static List<String> checked(String kind, List<String> values) {
    if (values.size() > MAX_VALUES) {
      throw new InvalidValueException(
          kind, "at most %s values are accepted here".formatted(MAX_VALUES));
    }
    for (String value : values) {
      if (value.isBlank() || value.length() > MAX_LENGTH || !StorableText.is(value)) {
        throw new InvalidValueException(
            kind, "each value is a text of 1 to %s characters".formatted(MAX_LENGTH));
      }
    }
    return values.stream().distinct().toList();
  }

  /** Tell whether it leaves nothing out. */
  public boolean isAll() {
    return equals(ALL);
  }

  /** Tell whether it leaves nothing out but by the target, which all runs have. */
  public boolean isOfTargets() {
    return tags.isEmpty() && keys.isEmpty();
  }

  /** Tell whether it names the target called {@code label}, or no targets. */
  public boolean admitsTarget(String label) {
    return targets.isEmpty() || targets.contains(label);
  }

  /** Tell whether it reaches runs of the target called {@code label} that have no schedule. */
  public boolean admitsAdHoc(String label) {
    return isOfTargets() && admitsTarget(label);
  }

  /** Tell whether it reaches {@code schedule}. */
  public boolean admits(Schedule schedule) {
    return admits(schedule.key(), schedule.definition());
  }

  /** Tell whether it reaches a schedule called {@code key} that says {@code definition}. */
  public boolean admits(String key, Definition definition) {
    return admits(key, definition.target(), definition.tags());
  }

  /** Tell whether it reaches a schedule with this key, target and tags. */
  public boolean admits(String key, String target, Collection<String> labels) {
    return outside(key, target, labels).isEmpty();
  }

  /** Tell whether it reaches {@code run}, whose schedule has {@code labels} as tags. */
  public boolean admits(Run run, Collection<String> labels) {
    return run.schedule()
        .map(key -> admits(key, run.target(), labels))
        .orElseGet(() -> admitsAdHoc(run.target()));
  }

  /**
   * Refuse a schedule that it does not reach.
   *
   * @throws OutOfScopeException with the field that is to blame
   */
  public void check(String key, Definition definition) {
    outside(key, definition.target(), definition.tags())
        .ifPresent(
            field -> {
              throw new OutOfScopeException(field, cure(field));
            });
    definition.deadline().ifPresent(deadline -> checkEscalation(deadline.escalateTo()));
    definition
        .expect()
        .flatMap(Expectation::escalateTo)
        .ifPresent(target -> checkEscalation("expect/escalateTo", target));
  }

  /**
   * Refuse to run {@code label} when a deadline is missed, if that target is not reached.
   *
   * @throws OutOfScopeException that blames the deadline
   */
  public void checkEscalation(String label) {
    checkEscalation("deadline/escalateTo", label);
  }

  private void checkEscalation(String field, String label) {
    if (!admitsTarget(label)) {
      throw new OutOfScopeException(field, cure("target"));
    }
  }

  /**
   * Refuse something without a target, called {@code key} and found by {@code labels}, that it does
   * not reach.
   *
   * @throws OutOfScopeException with the field that is to blame
   */
  public void check(String key, Collection<String> labels) {
    new Scope(List.of(), tags, keys)
        .outside(key, "", labels)
        .ifPresent(
            field -> {
              throw new OutOfScopeException(field, cure(field));
            });
  }

  private String cure(String field) {
    return switch (field) {
      case "target" -> "your token reaches these targets only: " + String.join(", ", targets);
      case "tags" ->
          "your token reaches only what has one of these tags: " + String.join(", ", tags);
      default ->
          "your token reaches only keys that begin with one of these: " + String.join(", ", keys);
    };
  }

  /**
   * Refuse to run {@code label} without a schedule, if that is not reached.
   *
   * @throws OutOfScopeException that blames the target
   */
  public void checkAdHoc(String label) {
    checkTarget(label);
    if (!isOfTargets()) {
      throw new OutOfScopeException(
          "target",
          "your token reaches schedules by their tags or keys, and so no runs without a schedule");
    }
  }

  /**
   * Refuse a target that is not reached.
   *
   * @throws OutOfScopeException that blames the target
   */
  public void checkTarget(String label) {
    if (!admitsTarget(label)) {
      throw new OutOfScopeException("target", cure("target"));
    }
  }

  private Optional<String> outside(String key, String target, Collection<String> labels) {
    if (!keys.isEmpty() && keys.stream().noneMatch(key::startsWith)) {
      return Optional.of("key");
    }
    if (!admitsTarget(target)) {
      return Optional.of("target");
    }
    return tags.isEmpty() || tags.stream().anyMatch(labels::contains)
        ? Optional.empty()
        : Optional.of("tags");
  }

  /** Return the kinds that are given, with their values. */
  public Map<String, List<String>> kinds() {
    var kinds = new LinkedHashMap<String, List<String>>();
    if (!targets.isEmpty()) {
      kinds.put("targets", targets);
    }
    if (!tags.isEmpty()) {
      kinds.put("tags", tags);
    }
    if (!keys.isEmpty()) {
      kinds.put("keys", keys);
    }
    return kinds;
  }

  /** Return it as the JSON that the database's function {@code in_scope} reads; empty for all. */
  public Optional<String> json() {
    return isAll() ? Optional.empty() : Optional.of(Json.write(kinds()));
  }
}
