package dev.carillon.definition;

import dev.carillon.definition.DefinitionFields.PacedTiming;
import dev.carillon.policy.Pacing;
import dev.carillon.time.Cron;
import dev.carillon.time.DstGap;
import dev.carillon.time.DstOverlap;
import dev.carillon.time.Every;
import dev.carillon.time.EveryPeriod;
import dev.carillon.time.Once;
import dev.carillon.time.Timing;
import dev.carillon.time.Zones;
import dev.carillon.time.business.CalendarTiming;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Period;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a timing is written as JSON, and read from the database. */
final class TimingJson {
  private static final String UTC = "UTC";
  private static final String START = "start";
  private static final String FINISH = "finish";

  private TimingJson() {}

  /** Write a timing. */
  static Map<String, @Nullable Object> write(PacedTiming paced, JsonStyle style) {
    Timing timing = paced.timing();
    var json = new JsonMembers(style);
    if (timing instanceof Cron cron) {
      json.add("cron", cron.expression())
          .add("zone", cron.zone().getId(), UTC)
          .add("dstGap", cron.gap(), DstGap.FIRE_AFTER)
          .add("dstOverlap", cron.overlap(), DstOverlap.AUTO);
    } else if (timing instanceof Every every) {
      json.add("every", every.period())
          .add("anchor", every.anchor(), Instant.EPOCH)
          .add("after", paced.pacing() == Pacing.FINISH ? FINISH : START, START);
    } else if (timing instanceof EveryPeriod every) {
      json.add("every", every.period());
      if (style == JsonStyle.FULL) {
        json.add("anchor", every.anchorInstant());
      } else if (!every.hasUsualAnchor()) {
        json.add("anchor", every.anchor());
      }
      json.add("zone", every.zone().getId()).add("after", START, START);
    } else if (timing instanceof Once once) {
      json.add("at", once.at());
      once.zone().ifPresent(zone -> json.add("zone", zone.getId()));
    } else if (timing instanceof CalendarTiming named) {
      CalendarTimingJson.write(named, json);
    }
    return json.json();
  }

  /** Read the stored timing of the schedule called {@code key}. */
  static Timing read(StoredFields json, String key) {
    Optional<String> zone = json.text("zone");
    Optional<String> cron = json.text("cron");
    if (cron.isPresent()) {
      return Cron.parse(cron.get(), Zones.of(zone.orElse(UTC)), key)
          .withGap(json.word("dstGap", DstGap.class).orElse(DstGap.FIRE_AFTER))
          .withOverlap(json.word("dstOverlap", DstOverlap.class).orElse(DstOverlap.AUTO));
    }
    Optional<String> period = json.text("every");
    if (period.isPresent() && zone.isPresent()) {
      EveryPeriod every = EveryPeriod.of(Period.parse(period.get()), Zones.of(zone.get()));
      return json.text("anchor")
          .map(anchor -> new EveryPeriod(every.period(), LocalDateTime.parse(anchor), every.zone()))
          .orElse(every);
    }
    Optional<CalendarTiming> named = CalendarTimingJson.read(json);
    if (named.isPresent()) {
      return named.get();
    }
    return json.duration("every")
        .<Timing>map(each -> new Every(each, json.instant("anchor").orElse(Instant.EPOCH)))
        .or(() -> json.instant("at").map(at -> new Once(at, zone.map(Zones::of))))
        .orElseThrow(
            () -> new IllegalStateException("the stored timing of '" + key + "' is of no kind"));
  }

  /** Read from where the intervals of a stored timing are measured. */
  static Pacing readPacing(StoredFields json) {
    return json.text("after").isPresent() ? Pacing.FINISH : Pacing.SLOT;
  }
}
