package dev.carillon.store;

import dev.carillon.json.Json;
import dev.carillon.model.Definition;
import dev.carillon.model.Payload;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Pacing;
import dev.carillon.time.Cron;
import dev.carillon.time.DstGap;
import dev.carillon.time.DstOverlap;
import dev.carillon.time.Every;
import dev.carillon.time.EveryPeriod;
import dev.carillon.time.Jitter;
import dev.carillon.time.Once;
import dev.carillon.time.Timing;
import dev.carillon.time.Window;
import dev.carillon.time.Zones;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How timing and policies of a definition are written in JSON, named as in the REST contract: what
 * is at its default is left out. Target, payload and tags have columns of their own.
 */
final class DefinitionJson {
  private static final String UTC = "UTC";
  /* What a stored catch-up has that says nothing. It stays as it is, whatever is usual for new ones. */
  private static final CatchUp UNSAID = CatchUp.skip().grace(Duration.ofSeconds(10));
  private static final int UNSAID_LIMIT_OF_MANY = 100;

  private DefinitionJson() {}

  /** Return the JSON of a definition. */
  static String of(Definition definition) {
    return Json.write(fields(definition));
  }

  /** Return the names of what two definitions differ in, columns included. */
  static List<String> differences(Definition one, Definition other) {
    Map<String, @Nullable Object> left = fields(one);
    Map<String, @Nullable Object> right = fields(other);
    var names = new TreeSet<String>();
    for (String name : union(left.keySet(), right.keySet())) {
      if (!Objects.equals(left.get(name), right.get(name))) {
        names.add(name);
      }
    }
    if (!one.target().equals(other.target())) {
      names.add("target");
    }
    if (!one.payload().equals(other.payload())) {
      names.add("payload");
    }
    if (!one.tags().equals(other.tags())) {
      names.add("tags");
    }
    return List.copyOf(names);
  }

  private static Set<String> union(Set<String> one, Set<String> other) {
    var union = new TreeSet<>(one);
    union.addAll(other);
    return union;
  }

  private static Map<String, @Nullable Object> fields(Definition definition) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("timing", write(definition.timing(), definition.pacing()));
    putUnlessEmpty(json, "window", write(definition.window()));
    if (!definition.jitter().amount().isZero()) {
      json.put("jitter", definition.jitter().amount().toString());
    }
    put(json, "jitterMode", definition.jitter().mode(), Jitter.Mode.AROUND);
    put(json, "overlap", definition.overlap().rule(), Overlap.SKIP.rule());
    if (definition.overlap().rule() == Overlap.Rule.QUEUE
        && definition.overlap().cap() != Overlap.QUEUE.cap()) {
      json.put("queueLimit", definition.overlap().cap());
    }
    putUnlessEmpty(json, "catchUp", write(definition.catchUp()));
    json.putAll(PolicyJson.write(definition.policy()));
    if (definition.maxRuns() > 0) {
      json.put("maxRuns", definition.maxRuns());
    }
    if (!definition.description().isEmpty()) {
      json.put("description", definition.description());
    }
    return json;
  }

  /** Read a definition from its columns key, target, payload, definition and tags. */
  static Definition read(Row row) {
    return read(
        row.text("key"),
        row.text("target"),
        Payload.stored(row.text("payload")),
        row.text("definition"),
        row.texts("tags"));
  }

  /** Read what {@link #of} wrote for the schedule called {@code key}. */
  static Definition read(
      String key, String target, Payload payload, String definition, List<String> tags) {
    Map<String, @Nullable Object> json = Json.readObject(definition);
    Map<?, ?> timing = map(json, "timing");
    return new Definition(
        target,
        payload,
        readTiming(timing, key),
        timing.get("after") == null ? Pacing.SLOT : Pacing.FINISH,
        readWindow(map(json, "window")),
        new Jitter(
            duration(json, "jitter").orElse(Duration.ZERO),
            word(json, "jitterMode", Jitter.Mode.AROUND)),
        readOverlap(json),
        readCatchUp(map(json, "catchUp")),
        PolicyJson.read(json),
        json.get("maxRuns") instanceof Long most ? most : 0,
        json.get("description") instanceof String description ? description : "",
        tags);
  }

  private static Map<String, Object> write(Timing timing, Pacing pacing) {
    var json = new LinkedHashMap<String, Object>();
    if (timing instanceof Cron cron) {
      json.put("cron", cron.expression());
      if (!cron.zone().getId().equals(UTC)) {
        json.put("zone", cron.zone().getId());
      }
      put(json, "dstGap", cron.gap(), DstGap.FIRE_AFTER);
      put(json, "dstOverlap", cron.overlap(), DstOverlap.AUTO);
    } else if (timing instanceof Every every) {
      json.put("every", every.period().toString());
      if (!every.anchor().equals(Instant.EPOCH)) {
        json.put("anchor", every.anchor().toString());
      }
    } else if (timing instanceof EveryPeriod every) {
      json.put("every", every.period().toString());
      json.put("zone", every.zone().getId());
      if (!every.hasUsualAnchor()) {
        json.put("anchor", every.anchor().toString());
      }
    } else if (timing instanceof Once once) {
      json.put("at", once.at().toString());
      once.zone().ifPresent(zone -> json.put("zone", zone.getId()));
    }
    if (pacing == Pacing.FINISH) {
      json.put("after", Words.of(pacing));
    }
    return json;
  }

  private static Optional<ZoneId> zone(Map<?, ?> json) {
    return json.get("zone") instanceof String id ? Optional.of(Zones.of(id)) : Optional.empty();
  }

  private static Timing readTiming(Map<?, ?> json, String key) {
    if (json.get("cron") instanceof String expression) {
      String zone = json.get("zone") instanceof String id ? id : UTC;
      return Cron.parse(expression, Zones.of(zone), key)
          .withGap(word(json, "dstGap", DstGap.FIRE_AFTER))
          .withOverlap(word(json, "dstOverlap", DstOverlap.AUTO));
    }
    if (json.get("every") instanceof String period && json.get("zone") instanceof String zone) {
      EveryPeriod every = EveryPeriod.of(Period.parse(period), Zones.of(zone));
      return json.get("anchor") instanceof String anchor
          ? new EveryPeriod(every.period(), LocalDateTime.parse(anchor), every.zone())
          : every;
    }
    return duration(json, "every")
        .<Timing>map(period -> new Every(period, instant(json, "anchor").orElse(Instant.EPOCH)))
        .or(() -> instant(json, "at").map(at -> new Once(at, zone(json))))
        .orElseThrow(
            () -> new IllegalStateException("the stored timing of '" + key + "' is of no kind"));
  }

  private static Map<String, Object> write(Window window) {
    var json = new LinkedHashMap<String, Object>();
    if (!window.from().equals(Instant.MIN)) {
      json.put("from", window.from().toString());
    }
    if (!window.until().equals(Instant.MAX)) {
      json.put("until", window.until().toString());
    }
    return json;
  }

  private static Window readWindow(Map<?, ?> json) {
    return new Window(
        instant(json, "from").orElse(Instant.MIN), instant(json, "until").orElse(Instant.MAX));
  }

  private static Overlap readOverlap(Map<?, ?> json) {
    Overlap.Rule rule = word(json, "overlap", Overlap.SKIP.rule());
    if (rule != Overlap.Rule.QUEUE) {
      return new Overlap(rule, 0);
    }
    return json.get("queueLimit") instanceof Long cap
        ? Overlap.queue(Math.toIntExact(cap))
        : Overlap.QUEUE;
  }

  private static Map<String, Object> write(CatchUp catchUp) {
    var json = new LinkedHashMap<String, Object>();
    if (!catchUp.name().equals(UNSAID.name())) {
      json.put("mode", catchUp.name());
    }
    if (catchUp.limit() != unsaidLimit(catchUp.mode())) {
      json.put("limit", catchUp.limit());
    }
    catchUp.maxAge().ifPresent(age -> json.put("maxAge", age.toString()));
    if (!catchUp.grace().equals(UNSAID.grace())) {
      json.put("grace", catchUp.grace().toString());
    }
    return json;
  }

  private static CatchUp readCatchUp(Map<?, ?> json) {
    String name = json.get("mode") instanceof String word ? word : UNSAID.name();
    CatchUp.Mode mode = CatchUp.modeNamed(name);
    return new CatchUp(
        mode,
        json.get("limit") instanceof Long limit ? Math.toIntExact(limit) : unsaidLimit(mode),
        duration(json, "maxAge"),
        duration(json, "grace").orElse(UNSAID.grace()),
        name);
  }

  private static int unsaidLimit(CatchUp.Mode mode) {
    return switch (mode) {
      case SKIP, ONCE -> UNSAID.limit();
      case ALL, SPREAD -> UNSAID_LIMIT_OF_MANY;
    };
  }

  private static <E extends Enum<E>> void put(
      Map<String, ? super String> json, String name, E value, E usual) {
    if (value != usual) {
      json.put(name, Words.of(value));
    }
  }

  private static void putUnlessEmpty(
      Map<String, @Nullable Object> json, String name, Map<String, Object> value) {
    if (!value.isEmpty()) {
      json.put(name, value);
    }
  }

  private static Map<?, ?> map(Map<?, ?> json, String name) {
    return json.get(name) instanceof Map<?, ?> map ? map : Map.of();
  }

  private static <E extends Enum<E>> E word(Map<?, ?> json, String name, E usual) {
    return json.get(name) instanceof String word
        ? Words.read(usual.getDeclaringClass(), word)
        : usual;
  }

  private static Optional<Duration> duration(Map<?, ?> json, String name) {
    return json.get(name) instanceof String text
        ? Optional.of(Duration.parse(text))
        : Optional.empty();
  }

  private static Optional<Instant> instant(Map<?, ?> json, String name) {
    return json.get(name) instanceof String text
        ? Optional.of(Instant.parse(text))
        : Optional.empty();
  }
}
