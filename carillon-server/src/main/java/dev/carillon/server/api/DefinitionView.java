package dev.carillon.server.api;

import dev.carillon.json.RawJson;
import dev.carillon.model.Definition;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Pacing;
import dev.carillon.policy.Retry;
import dev.carillon.server.read.Texts;
import dev.carillon.time.Cron;
import dev.carillon.time.Every;
import dev.carillon.time.EveryPeriod;
import dev.carillon.time.Once;
import dev.carillon.time.Timing;
import dev.carillon.time.Window;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the definition of a schedule is told: in the words in which it is given, defaults included.
 */
final class DefinitionView {
  private DefinitionView() {}

  /** Return the fields of a definition, with the payload as it is stored. */
  static Map<String, @Nullable Object> of(Definition definition) {
    Map<String, @Nullable Object> view = plain(definition);
    view.put("payload", new RawJson(definition.payload().json()));
    return view;
  }

  /** Return the fields of a definition as plain values, which can be compared and merged. */
  static Map<String, @Nullable Object> plain(Definition definition) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("target", definition.target());
    view.put("payload", definition.payload().content());
    view.put("timing", timing(definition.timing(), definition.pacing()));
    view.put("window", window(definition.window()));
    view.put("jitter", Texts.of(definition.jitter().amount()));
    view.put("jitterMode", Texts.word(definition.jitter().mode()));
    view.put("overlap", Texts.word(definition.overlap().rule()));
    if (definition.overlap().rule() == Overlap.Rule.QUEUE) {
      view.put("queueLimit", (long) definition.overlap().cap());
    }
    view.put("catchUp", catchUp(definition.catchUp()));
    view.put("retry", retry(definition.policy().retry()));
    view.put("recovery", Texts.word(definition.policy().recovery()));
    view.put("timeout", definition.policy().timeout().map(Texts::of).orElse(null));
    view.put("pauseAfterFailures", unlessZero(definition.policy().pauseAfterFailures()));
    view.put("maxRuns", unlessZero(definition.maxRuns()));
    view.put("description", definition.description());
    view.put("tags", definition.tags());
    return view;
  }

  /** Return which fields differ between two definitions, with what they were and are. */
  static List<Map<String, @Nullable Object>> changes(Definition before, Definition after) {
    Map<String, @Nullable Object> from = plain(before);
    Map<String, @Nullable Object> to = plain(after);
    var names = new LinkedHashMap<>(from);
    names.putAll(to);
    var changes = new ArrayList<Map<String, @Nullable Object>>();
    for (String name : names.keySet()) {
      if (!Objects.equals(from.get(name), to.get(name))) {
        var change = new LinkedHashMap<String, @Nullable Object>();
        change.put("field", name);
        change.put("from", from.get(name));
        change.put("to", to.get(name));
        changes.add(change);
      }
    }
    return changes;
  }

  static Map<String, @Nullable Object> timing(Timing timing, Pacing pacing) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    if (timing instanceof Cron cron) {
      view.put("cron", cron.expression());
      view.put("zone", cron.zone().getId());
      view.put("dstGap", Texts.word(cron.gap()));
      view.put("dstOverlap", Texts.word(cron.overlap()));
    } else if (timing instanceof Every every) {
      view.put("every", Texts.of(every.period()));
      view.put("anchor", Texts.of(every.anchor()));
      view.put("after", pacing == Pacing.FINISH ? "finish" : "start");
    } else if (timing instanceof EveryPeriod every) {
      view.put("every", every.period().toString());
      view.put("anchor", Texts.of(every.anchorInstant()));
      view.put("zone", every.zone().getId());
      view.put("after", "start");
    } else if (timing instanceof Once once) {
      view.put("at", Texts.of(once.at()));
      once.zone().ifPresent(zone -> view.put("zone", zone.getId()));
    }
    return view;
  }

  private static @Nullable Map<String, @Nullable Object> window(Window window) {
    if (window.equals(Window.ALWAYS)) {
      return null;
    }
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("from", window.from().equals(Instant.MIN) ? null : Texts.of(window.from()));
    view.put("until", window.until().equals(Instant.MAX) ? null : Texts.of(window.until()));
    return view;
  }

  private static Map<String, @Nullable Object> catchUp(CatchUp catchUp) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("mode", catchUp.name());
    view.put("limit", (long) catchUp.limit());
    view.put("maxAge", catchUp.maxAge().map(Texts::of).orElse(null));
    view.put("grace", Texts.of(catchUp.grace()));
    return view;
  }

  static Map<String, @Nullable Object> retry(Retry retry) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("attempts", (long) retry.attempts());
    view.put("backoff", Texts.of(retry.backoff()));
    view.put("factor", BigDecimal.valueOf(retry.factor()));
    view.put("maxBackoff", Texts.of(retry.maxBackoff()));
    return view;
  }

  private static @Nullable Long unlessZero(long number) {
    return Optional.of(number).filter(value -> value > 0).orElse(null);
  }
}
