package dev.carillon.definition;

import dev.carillon.definition.FieldType.Kind;
import dev.carillon.json.Json;
import dev.carillon.model.Definition;
import dev.carillon.model.Payload;
import dev.carillon.policy.CalendarPolicy;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Deadline;
import dev.carillon.policy.Expectation;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Pacing;
import dev.carillon.policy.PolicyDefaults;
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
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * All fields of a definition. A new one is described here, and so is stored, read from and shown to
 * REST clients, patched, compared, in the OpenAPI document and an option of the command line.
 */
public final class DefinitionFields {
  private static final List<DefinitionField<?>> DECLARED = new ArrayList<>();

  public static final DefinitionField<String> TARGET =
      field(
          "target",
          FieldType.text(1, FieldLimits.MAX_NAME),
          d -> d.target,
          (d, target) -> d.target = target);

  public static final DefinitionField<Payload> PAYLOAD =
      field("payload", FieldType.payload(), d -> d.payload, (d, payload) -> d.payload = payload);

  /** Whether the payload is a template that is filled in for each attempt. */
  public static final DefinitionField<Boolean> TEMPLATE =
      field(
              "template",
              FieldType.flag(),
              d -> d.policy.template().isPresent(),
              (d, template) -> d.policy = template ? d.policy.template("Z") : d.policy.noTemplate())
          .defaultValue(false)
          .option(
              "BOOLEAN", "true: the placeholders of the payload are filled in for each attempt.");

  /** When it runs; read by itself, as a cron expression may depend on the schedule's key. */
  public static final DefinitionField<?> TIMING =
      field(
          "timing",
          FieldType.object("Timing", (source, name) -> Optional.empty(), TimingJson::write),
          d -> new PacedTiming(d.timing, d.pacing),
          (d, paced) -> {
            d.timing = paced.timing();
            d.pacing = paced.pacing();
          });

  public static final DefinitionField<Window> WINDOW =
      field(
              "window",
              FieldType.object("Window", PolicyJson::readWindow, PolicyJson::write),
              d -> d.window.equals(Window.ALWAYS) ? null : d.window,
              (d, window) -> d.window = window)
          .limits(FieldLimits::window);

  public static final DefinitionField<Duration> JITTER =
      field(
              "jitter",
              FieldType.duration(),
              d -> d.jitter.amount(),
              (d, amount) -> d.jitter = new Jitter(amount, d.jitter.mode()))
          .defaultValue(Duration.ZERO)
          .option("DURATION", "Spread fires by at most so much around their slots.");

  public static final DefinitionField<Jitter.Mode> JITTER_MODE =
      field(
              "jitterMode",
              FieldType.word(Jitter.Mode.class),
              d -> d.jitter.mode(),
              (d, mode) -> d.jitter = new Jitter(d.jitter.amount(), mode))
          .defaultValue(Jitter.Mode.AROUND);

  public static final DefinitionField<CalendarPolicy> CALENDAR =
      field(
              "calendar",
              FieldType.object("CalendarPolicy", PolicyJson::readCalendar, PolicyJson::write),
              d -> d.calendar.orElse(null),
              (d, calendar) -> d.calendar = Optional.of(calendar))
          .option(
              "--calendar",
              "name",
              Kind.TEXT,
              "NAME",
              "Roll slots that are on no business day of this calendar.")
          .option(
              "--roll",
              "roll",
              Kind.TEXT,
              "ROLL",
              "With --calendar: skip, following (default), modified_following, preceding,"
                  + " modified_preceding or nearest.");

  public static final DefinitionField<String> QUIET_HOURS =
      field(
              "quietHours",
              FieldType.text(1, FieldLimits.MAX_NAME),
              d -> d.quietHours.orElse(null),
              (d, name) -> d.quietHours = Optional.of(name))
          .option("NAME", "Keep these quiet hours.");

  public static final DefinitionField<Overlap.Rule> OVERLAP =
      field(
              "overlap",
              FieldType.word(Overlap.Rule.class),
              d -> d.overlap.rule(),
              (d, rule) -> d.overlap = PolicyDefaults.BUILT_IN.overlap(rule))
          .defaultValue(Overlap.Rule.SKIP)
          .option(
              "RULE",
              "While an earlier run is unfinished: skip (default), allow, queue, queue_one or"
                  + " cancel_previous.");

  /** How many runs may wait; only a queue has it. */
  public static final DefinitionField<Long> QUEUE_LIMIT =
      field(
              "queueLimit",
              FieldType.whole(1, Overlap.MAX_QUEUE),
              d -> isQueue(d) ? (long) d.overlap.queueLimit() : null,
              (d, limit) ->
                  d.overlap = isQueue(d) ? Overlap.queue(Math.toIntExact(limit)) : d.overlap)
          .defaultValue((long) Overlap.QUEUE.queueLimit())
          .option("N", "With --overlap queue: how many runs may wait.");

  public static final DefinitionField<CatchUp> CATCH_UP =
      field(
              "catchUp",
              FieldType.object("CatchUp", CatchUpJson::read, CatchUpJson::write),
              d -> d.catchUp,
              (d, catchUp) -> d.catchUp = catchUp)
          .option(
              "--catch-up",
              "mode",
              Kind.TEXT,
              "MODE",
              "Slots missed while no node ran: skip, once, all or spread (default: once; skip with"
                  + " --every).")
          .option(
              "--grace",
              "grace",
              Kind.TEXT,
              "DURATION",
              "A slot this late is not missed (default: 5m; 10s with --every).")
          .option(
              "--max-age",
              "maxAge",
              Kind.TEXT,
              "DURATION",
              "Missed slots older than this never run (default: 1d; none with --every).");

  public static final DefinitionField<Retry> RETRY =
      field(
              "retry",
              FieldType.object("Retry", PolicyJson::readRetry, PolicyJson::write),
              d -> d.policy.retry(),
              (d, retry) -> d.policy = d.policy.retry(retry))
          .defaultValue(Retry.NONE)
          .option(
              "--attempts",
              "attempts",
              Kind.WHOLE_NUMBER,
              "N",
              "How often to try a run that fails (default: 1).")
          .option(
              "--backoff",
              "backoff",
              Kind.DURATION,
              "DURATION",
              "With --attempts: how long to wait before the second.")
          .option(
              "--retry-calendar",
              "calendar",
              Kind.TEXT,
              "NAME",
              "With --attempts: count pauses in the working time of this calendar.");

  public static final DefinitionField<Recovery> RECOVERY =
      field(
              "recovery",
              FieldType.word(Recovery.class),
              d -> d.policy.recovery(),
              (d, recovery) -> d.policy = d.policy.recovery(recovery))
          .defaultValue(Recovery.RESUBMIT);

  public static final DefinitionField<Duration> TIMEOUT =
      field(
              "timeout",
              FieldType.duration(),
              d -> d.policy.timeout().orElse(null),
              (d, timeout) -> d.policy = d.policy.timeout(timeout))
          .option("DURATION", "How long one attempt may take.");

  /** Whose working time the timeout counts. */
  public static final DefinitionField<String> TIMEOUT_CALENDAR =
      field(
              "timeoutCalendar",
              FieldType.text(1, FieldLimits.MAX_NAME),
              d -> d.policy.timeoutCalendar().orElse(null),
              (d, calendar) -> d.policy = d.policy.timeoutCalendar(calendar))
          .limits(FieldLimits::calendar)
          .option("NAME", "With --timeout: count the working time of this calendar.");

  /** By when each run must be finished, and what runs if it is not. */
  public static final DefinitionField<Deadline> DEADLINE =
      field(
              "deadline",
              FieldType.object("Deadline", DeadlineJson::read, DeadlineJson::write),
              d -> d.deadline.orElse(null),
              (d, deadline) -> d.deadline = Optional.of(deadline))
          .limits(FieldLimits::deadline)
          .option(
              "--deadline",
              "after",
              Kind.DURATION,
              "DURATION",
              "How long after it is due a run must be finished; needs --escalate-to.")
          .option(
              "--deadline-at",
              "at",
              Kind.TEXT,
              "TIME",
              "Or by which time of day, such as 06:00, in the zone of the schedule.")
          .option(
              "--deadline-calendar",
              "calendar",
              Kind.TEXT,
              "NAME",
              "With --deadline: count the working time of this calendar.")
          .option(
              "--escalate-to",
              "escalateTo",
              Kind.TEXT,
              "TARGET",
              "With --deadline or --deadline-at: the target that runs once if it is missed.");

  /** How often it is expected to succeed. */
  public static final DefinitionField<Expectation> EXPECT =
      field(
              "expect",
              FieldType.object("Expectation", ExpectationJson::read, ExpectationJson::write),
              d -> d.expect.orElse(null),
              (d, expectation) -> d.expect = Optional.of(expectation))
          .limits(FieldLimits::expectation)
          .option(
              "--expect",
              "successEvery",
              Kind.DURATION,
              "DURATION",
              "How long it may go without a success before it counts as silent.")
          .option(
              "--expect-grace",
              "grace",
              Kind.DURATION,
              "DURATION",
              "With --expect: how much longer it may take.")
          .option(
              "--expect-escalate-to",
              "escalateTo",
              Kind.TEXT,
              "TARGET",
              "With --expect: the target that runs once when it is silent.");

  public static final DefinitionField<Long> PAUSE_AFTER_FAILURES =
      field(
              "pauseAfterFailures",
              FieldType.whole(1, Integer.MAX_VALUE),
              d -> unlessZero(d.policy.pauseAfterFailures()),
              (d, failures) -> d.policy = d.policy.pauseAfterFailures(Math.toIntExact(failures)))
          .option("N", "Pause after so many failed runs in a row.");

  public static final DefinitionField<Long> MAX_RUNS =
      field(
              "maxRuns",
              FieldType.whole(1, Long.MAX_VALUE),
              d -> unlessZero(d.maxRuns),
              (d, most) -> d.maxRuns = most)
          .limits(FieldLimits::maxRuns)
          .option("N", "Retire after so many runs.");

  public static final DefinitionField<String> DESCRIPTION =
      field(
              "description",
              FieldType.text(0, FieldLimits.MAX_DESCRIPTION),
              d -> d.description,
              (d, text) -> d.description = text)
          .limits(FieldLimits::description)
          .defaultValue("")
          .option("TEXT", "What it is for.");

  public static final DefinitionField<List<String>> TAGS =
      field(
              "tags",
              FieldType.texts(FieldLimits.MAX_TAGS, FieldLimits.MAX_TAG),
              d -> d.tags,
              (d, tags) -> d.tags = tags)
          .limits(FieldLimits::tags);

  /** All of them, in the order in which they are shown. */
  public static final List<DefinitionField<?>> ALL = List.copyOf(DECLARED);

  /* Those that each run takes with it. */
  private static final List<DefinitionField<?>> POLICY =
      List.of(RETRY, RECOVERY, TIMEOUT, TIMEOUT_CALENDAR, PAUSE_AFTER_FAILURES);

  /* Those that the database does not have in columns of their own. */
  private static final List<DefinitionField<?>> STORED =
      ALL.stream().filter(field -> !Set.of(TARGET, PAYLOAD, TAGS).contains(field)).toList();

  private static final Timing NEVER = new Once(Instant.EPOCH);

  private DefinitionFields() {}

  private static <T> DefinitionField<T> field(
      String name,
      FieldType<T> type,
      DefinitionField.Getter<T> getter,
      BiConsumer<Definition.Builder, T> setter) {
    var field = new DefinitionField<>(name, type, getter, setter);
    DECLARED.add(field);
    return field;
  }

  /** Return the JSON schema of {@code field}. */
  public static Map<String, Object> schema(DefinitionField<?> field) {
    boolean required = Set.of(TARGET, PAYLOAD, TIMING).contains(field);
    return required ? field.type.schema() : field.type.nullableSchema();
  }

  /** Tell whether each definition that is shown has {@code field}, be it null. */
  public static boolean isAlwaysShown(DefinitionField<?> field) {
    return !field.equals(QUEUE_LIMIT);
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
    return Json.write(compact(STORED, new Definition.Builder(definition)));
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

  /** Read how often a schedule is expected to succeed from what {@link #store} wrote. */
  public static Optional<Expectation> expectation(String stored) {
    return EXPECT.read(new StoredFields(Json.readObject(stored)));
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

  private static @Nullable Long unlessZero(long number) {
    return number == 0 ? null : number;
  }

  private static boolean isQueue(Definition.Builder definition) {
    return definition.overlap.rule() == Overlap.Rule.QUEUE;
  }

  /**
   * When a schedule fires.
   *
   * @param timing when
   * @param pacing for an interval, from where it is measured
   */
  record PacedTiming(Timing timing, Pacing pacing) {}
}
