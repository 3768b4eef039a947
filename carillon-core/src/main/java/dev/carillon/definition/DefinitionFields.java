package dev.carillon.definition;

import dev.carillon.json.Json;
import dev.carillon.model.Definition;
import dev.carillon.model.Payload;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Pacing;
import dev.carillon.policy.Recovery;
import dev.carillon.policy.Retry;
import dev.carillon.policy.RunPolicy;
import dev.carillon.time.Jitter;
import dev.carillon.time.Once;
import dev.carillon.time.Timing;
import dev.carillon.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All fields of a definition. A new one is described here, and so is stored, read from and shown to
 * REST clients, patched, compared, in the OpenAPI document and an option of the command line.
 */
public final class DefinitionFields {
  /** What runs. */
  public static final DefinitionField<String> TARGET =
      DefinitionField.of(
          "target",
          FieldType.text(1, FieldLimits.LONGEST_NAME),
          definition -> Optional.of(definition.target),
          (definition, label) -> definition.target = label);

  /** What each run is given. */
  public static final DefinitionField<Payload> PAYLOAD =
      DefinitionField.of(
          "payload",
          FieldType.payload(),
          definition -> Optional.of(definition.payload),
          (definition, payload) -> definition.payload = payload);

  /** When it runs; read by itself, as a cron expression may depend on the schedule's key. */
  public static final DefinitionField<PacedTiming> TIMING =
      DefinitionField.of(
          "timing",
          FieldType.object(
              "Timing",
              (source, name) -> Optional.empty(),
              (paced, style) -> TimingJson.write(paced.timing(), paced.pacing(), style)),
          definition -> Optional.of(new PacedTiming(definition.timing, definition.pacing)),
          (definition, paced) -> {
            definition.timing = paced.timing();
            definition.pacing = paced.pacing();
          });

  /** When it is in force. */
  public static final DefinitionField<Window> WINDOW =
      DefinitionField.of(
              "window",
              FieldType.object("Window", PolicyObjects::readWindow, PolicyObjects::write),
              definition ->
                  Optional.of(definition.window).filter(window -> !window.equals(Window.ALWAYS)),
              (definition, window) -> definition.window = window)
          .limits(FieldLimits::window);

  /** How far runs are moved from their slots. */
  public static final DefinitionField<Duration> JITTER =
      DefinitionField.of(
              "jitter",
              FieldType.duration(),
              definition -> Optional.of(definition.jitter.amount()),
              (definition, amount) ->
                  definition.jitter = new Jitter(amount, definition.jitter.mode()))
          .usual(Duration.ZERO)
          .option("DURATION", "Spread fires by at most so much around their slots.");

  /** To which side runs are moved from their slots. */
  public static final DefinitionField<Jitter.Mode> JITTER_MODE =
      DefinitionField.of(
              "jitterMode",
              FieldType.word(Jitter.Mode.class),
              definition -> Optional.of(definition.jitter.mode()),
              (definition, mode) ->
                  definition.jitter = new Jitter(definition.jitter.amount(), mode))
          .usual(Jitter.Mode.AROUND);

  /** What happens to a run that is due while another is unfinished. */
  public static final DefinitionField<Overlap.Rule> OVERLAP =
      DefinitionField.of(
              "overlap",
              FieldType.word(Overlap.Rule.class),
              definition -> Optional.of(definition.overlap.rule()),
              (definition, rule) ->
                  definition.overlap =
                      rule == Overlap.Rule.QUEUE ? Overlap.QUEUE : new Overlap(rule, 0))
          .usual(Overlap.Rule.SKIP)
          .option(
              "RULE",
              "While an earlier run is unfinished: skip (default), allow, queue, queue_one or"
                  + " cancel_previous.");

  /** How many runs may wait; only a queue has it. */
  public static final DefinitionField<Long> QUEUE_LIMIT =
      DefinitionField.of(
              "queueLimit",
              FieldType.whole(1, Overlap.LONGEST_QUEUE),
              definition -> queueLimit(definition.overlap),
              DefinitionFields::limitQueue)
          .usual((long) Overlap.QUEUE.cap())
          .option("N", "With --overlap queue: how many runs may wait.");

  /** What happens to slots that nothing could run. */
  public static final DefinitionField<CatchUp> CATCH_UP =
      DefinitionField.of(
          "catchUp",
          FieldType.object(
              "CatchUp",
              (source, name) -> source.object(name).map(CatchUpJson::read),
              CatchUpJson::write),
          definition -> Optional.of(definition.catchUp),
          (definition, catchUp) -> definition.catchUp = catchUp);

  /** How often a run is tried. */
  public static final DefinitionField<Retry> RETRY =
      DefinitionField.of(
              "retry",
              FieldType.object("Retry", PolicyObjects::readRetry, PolicyObjects::write),
              definition -> Optional.of(definition.policy.retry()),
              (definition, retry) -> definition.policy = definition.policy.retry(retry))
          .usual(Retry.NONE);

  /** What happens to a run whose node dies. */
  public static final DefinitionField<Recovery> RECOVERY =
      DefinitionField.of(
              "recovery",
              FieldType.word(Recovery.class),
              definition -> Optional.of(definition.policy.recovery()),
              (definition, recovery) -> definition.policy = definition.policy.recovery(recovery))
          .usual(Recovery.RESUBMIT);

  /** How long an attempt may take. */
  public static final DefinitionField<Duration> TIMEOUT =
      DefinitionField.of(
              "timeout",
              FieldType.duration(),
              definition -> definition.policy.timeout(),
              (definition, timeout) -> definition.policy = definition.policy.timeout(timeout))
          .option("DURATION", "How long one attempt may take.");

  /** After how many failures in a row the schedule is paused. */
  public static final DefinitionField<Long> PAUSE_AFTER_FAILURES =
      DefinitionField.of(
              "pauseAfterFailures",
              FieldType.whole(1, Integer.MAX_VALUE),
              definition -> unlessZero(definition.policy.pauseAfterFailures()),
              (definition, failures) ->
                  definition.policy =
                      definition.policy.pauseAfterFailures(Math.toIntExact(failures)))
          .option("N", "Pause after so many failed runs in a row.");

  /** After how many slots the schedule is complete. */
  public static final DefinitionField<Long> MAX_RUNS =
      DefinitionField.of(
              "maxRuns",
              FieldType.whole(1, Long.MAX_VALUE),
              definition -> unlessZero(definition.maxRuns),
              (definition, most) -> definition.maxRuns = most)
          .limits(FieldLimits::maxRuns)
          .option("N", "Retire after so many runs.");

  /** What the schedule is for, in words. */
  public static final DefinitionField<String> DESCRIPTION =
      DefinitionField.of(
              "description",
              FieldType.text(0, FieldLimits.LONGEST_DESCRIPTION),
              definition -> Optional.of(definition.description),
              (definition, text) -> definition.description = text)
          .limits(FieldLimits::description)
          .usual("")
          .option("TEXT", "What it is for.");

  /** Words to find the schedule by. */
  public static final DefinitionField<List<String>> TAGS =
      DefinitionField.of(
              "tags",
              FieldType.texts(FieldLimits.MOST_TAGS, FieldLimits.LONGEST_TAG),
              definition -> Optional.of(definition.tags),
              (definition, tags) -> definition.tags = tags)
          .limits(FieldLimits::tags);

  /** All of them, in the order in which they are shown. */
  public static final List<DefinitionField<?>> ALL =
      List.of(
          TARGET,
          PAYLOAD,
          TIMING,
          WINDOW,
          JITTER,
          JITTER_MODE,
          OVERLAP,
          QUEUE_LIMIT,
          CATCH_UP,
          RETRY,
          RECOVERY,
          TIMEOUT,
          PAUSE_AFTER_FAILURES,
          MAX_RUNS,
          DESCRIPTION,
          TAGS);

  /* Those that each run takes with it. */
  private static final List<DefinitionField<?>> POLICY =
      List.of(RETRY, RECOVERY, TIMEOUT, PAUSE_AFTER_FAILURES);

  static final Set<DefinitionField<?>> NEVER_NULL = Set.of(TARGET, PAYLOAD, TIMING);

  /* Those that the database does not have in columns of their own. */
  private static final List<DefinitionField<?>> STORED =
      ALL.stream().filter(field -> !Set.of(TARGET, PAYLOAD, TAGS).contains(field)).toList();

  private static final Timing NEVER = new Once(Instant.EPOCH);

  private DefinitionFields() {}

  /** Tell whether each definition that is shown has {@code field}, be it null. */
  public static boolean isAlwaysShown(DefinitionField<?> field) {
    return field != QUEUE_LIMIT;
  }

  /** Return all fields of {@code definition} as JSON, defaults included. */
  public static Map<String, @Nullable Object> show(Definition definition) {
    var from = new Definition.Builder(definition);
    var json = new LinkedHashMap<String, @Nullable Object>();
    for (DefinitionField<?> field : ALL) {
      Object value = field.full(from);
      if (value != null || isAlwaysShown(field)) {
        json.put(field.name(), value);
      }
    }
    return json;
  }

  /** Return in which fields two definitions differ. */
  public static List<FieldChange> changes(Definition before, Definition after) {
    Map<String, @Nullable Object> from = show(before);
    Map<String, @Nullable Object> to = show(after);
    var changes = new ArrayList<FieldChange>();
    for (DefinitionField<?> field : ALL) {
      Object old = from.get(field.name());
      Object current = to.get(field.name());
      if (!Objects.equals(old, current)) {
        changes.add(new FieldChange(field.name(), old, current));
      }
    }
    return changes;
  }

  /** Write what is stored of a definition beside its target, payload and tags. */
  public static String store(Definition definition) {
    var from = new Definition.Builder(definition);
    return Json.write(compact(STORED, from));
  }

  /** Read what {@link #store} wrote for the schedule called {@code key}. */
  public static Definition restore(
      String key, String target, Payload payload, String stored, List<String> tags) {
    var json = new StoredFields(Json.readObject(stored));
    StoredFields timing = json.object(TIMING.name()).orElseGet(() -> new StoredFields(Map.of()));
    var definition = new Definition.Builder(target, TimingJson.read(timing, key));
    definition.pacing = TimingJson.readPacing(timing);
    definition.payload = payload;
    definition.tags = tags;
    for (DefinitionField<?> field : STORED) {
      if (json.has(field.name())) {
        field.restore(json, definition);
      }
    }
    return definition.build();
  }

  /** Return what is stored of the policy of a run. */
  public static Map<String, @Nullable Object> store(RunPolicy policy) {
    var from = new Definition.Builder("", NEVER);
    from.policy = policy;
    return compact(POLICY, from);
  }

  /** Read what {@link #store(RunPolicy)} returned. */
  public static RunPolicy restore(Map<String, @Nullable Object> stored) {
    var json = new StoredFields(stored);
    var definition = new Definition.Builder("", NEVER);
    POLICY.forEach(field -> field.restore(json, definition));
    return definition.policy;
  }

  private static Map<String, @Nullable Object> compact(
      List<DefinitionField<?>> fields, Definition.Builder from) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    fields.forEach(field -> field.compact(from).ifPresent(value -> json.put(field.name(), value)));
    return json;
  }

  private static Optional<Long> unlessZero(long number) {
    return number == 0 ? Optional.empty() : Optional.of(number);
  }

  private static Optional<Long> queueLimit(Overlap overlap) {
    return overlap.rule() == Overlap.Rule.QUEUE
        ? Optional.of((long) overlap.cap())
        : Optional.empty();
  }

  private static void limitQueue(Definition.Builder definition, long limit) {
    if (definition.overlap.rule() == Overlap.Rule.QUEUE) {
      definition.overlap = Overlap.queue(Math.toIntExact(limit));
    }
  }

  /**
   * When a schedule fires.
   *
   * @param timing when
   * @param pacing for an interval, from where it is measured
   */
  public record PacedTiming(Timing timing, Pacing pacing) {}
}
