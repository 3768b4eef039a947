package dev.carillon;

import dev.carillon.fixture.Gen;
import dev.carillon.model.ChangeResult;
import dev.carillon.model.ChangeResult.Change;
import dev.carillon.model.Definition;
import dev.carillon.model.Pause;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Pacing;
import dev.carillon.time.Cron;
import dev.carillon.time.DstGap;
import dev.carillon.time.DstOverlap;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What people did to one schedule, as they remember it: a journal beside the database. */
final class ExplainStory {
  /** A definition, from after it was made until the schedule was retired or the next was made. */
  record Made(int version, Definition definition, Instant at, Optional<Instant> until) {
    boolean isInForce(Instant slot) {
      return at.isBefore(slot) && until.filter(end -> end.isBefore(slot)).isEmpty();
    }
  }

  /** A pause of the slots from {@code from} to {@code until}, both included. */
  record Stop(Instant from, Optional<Instant> until, String reason, String by) {
    boolean holds(Instant slot) {
      return !from.isAfter(slot) && until.filter(end -> end.isBefore(slot)).isEmpty();
    }

    Stop endedBy(Instant now) {
      return until.filter(end -> end.isBefore(now)).isPresent()
          ? this
          : new Stop(from, Optional.of(now), reason, by);
    }
  }

  final String key;
  final long id;
  final List<Made> versions = new ArrayList<>();
  final List<Stop> stops = new ArrayList<>();
  private final Gen any;
  private final Schedules schedules;
  private final ExplainRules rules;
  private int deeds;

  ExplainStory(Gen any, Schedules schedules, ExplainRules rules, String key, Instant now) {
    this.any = any;
    this.schedules = schedules;
    this.rules = rules;
    this.key = key;
    ChangeResult created = create(now);
    id = created.schedule().id();
    remember(created, now);
  }

  /* Until something is drawn that fires. */
  private ChangeResult create(Instant now) {
    while (true) {
      try {
        return schedules.as("maker").create(draft(now));
      } catch (IllegalArgumentException refused) {
        passOver(refused);
      }
    }
  }

  private static void passOver(IllegalArgumentException refused) {
    if (!String.valueOf(refused.getMessage()).contains("would never fire")) {
      throw refused;
    }
  }

  private void remember(ChangeResult result, Instant now) {
    if (result.change() == Change.CREATED || result.change() == Change.NEW_VERSION) {
      end(now);
      versions.add(
          new Made(
              result.schedule().version(), result.schedule().definition(), now, Optional.empty()));
    }
  }

  private void end(Instant now) {
    if (!versions.isEmpty() && versions.get(versions.size() - 1).until.isEmpty()) {
      Made last = versions.remove(versions.size() - 1);
      versions.add(new Made(last.version, last.definition, last.at, Optional.of(now)));
    }
  }

  /** Return what is in force at {@code slot}, as far as people ended it. */
  Optional<Made> inForce(Instant slot) {
    return versions.stream().filter(made -> made.isInForce(slot)).findFirst();
  }

  /** Return the pause that holds at {@code slot}. */
  Optional<Stop> stop(Instant slot) {
    return stops.stream().filter(stop -> stop.holds(slot)).reduce((one, later) -> later);
  }

  /** Do something to the schedule, or nothing. */
  void act(Instant now) {
    Schedule schedule = schedules.get(key).orElseThrow();
    boolean retired = schedule.status() == ScheduleStatus.RETIRED;
    int what = any.number(0, 99);
    if (what < 14 || (retired && what < 40)) {
      edit(now);
    } else if (what < 30 && !retired) {
      pause(schedule, now);
    } else if (what < 60 && (schedule.pause().isPresent() || schedule.plannedPause().isPresent())) {
      endStops(now);
      schedules.as("resumer").resume(key);
    } else if (what < 63 && !retired) {
      schedules.as("retirer").retire(key);
      endStops(now);
      end(now);
    } else if (what < 67 && !retired && schedule.definition().pacing() == Pacing.SLOT) {
      schedules
          .as("filler")
          .backfill(
              key, BackfillDraft.between(now.minus(any.upTo(Duration.ofDays(3))), now).limit(3));
    } else if (what < 70 && !retired) {
      schedules.as("runner").runNow(key);
    }
  }

  private void edit(Instant now) {
    try {
      remember(schedules.as("editor").upsert(draft(now)), now);
    } catch (IllegalArgumentException refused) {
      passOver(refused);
    }
  }

  private void pause(Schedule schedule, Instant now) {
    String by = "pauser-" + ++deeds;
    Pause pause = Pause.because("reason " + key + " " + deeds);
    boolean later = schedule.status() == ScheduleStatus.ACTIVE && any.percent(40);
    if (later) {
      pause = pause.startingAt(now.plus(any.upTo(Duration.ofDays(2))).plusSeconds(1));
    }
    if (any.percent(50)) {
      Instant from = pause.from().orElse(now);
      pause = pause.endingAt(from.plus(any.upTo(Duration.ofDays(3))).plusSeconds(1));
    }
    endStops(now);
    schedules.as(by).pause(key, pause);
    stops.add(new Stop(pause.from().orElse(now), pause.until(), pause.reason(), by));
  }

  /* A pause that has not begun is replaced or canceled. */
  private void endStops(Instant now) {
    stops.removeIf(stop -> stop.from.isAfter(now));
    stops.replaceAll(stop -> stop.endedBy(now));
  }

  private ScheduleDraft draft(Instant now) {
    ScheduleDraft draft = ScheduleDraft.named(key).payload("fails", any.percent(20) ? 1 : 0);
    draft =
        any.percent(70)
            ? draft.target("bell").overlap(any.oneOf(Overlap.ALLOW, Overlap.SKIP))
            : draft
                .target("far")
                .overlap(any.oneOf(Overlap.SKIP, Overlap.QUEUE_ONE, Overlap.CANCEL_PREVIOUS));
    draft = timed(draft);
    if (any.percent(25)) {
      draft = draft.jitter(Duration.ofSeconds(any.number(1, 200)));
    }
    if (any.percent(10)) {
      draft = draft.maxRuns(any.number(1, 60));
    }
    if (any.percent(20)) {
      draft = draft.from(now.plus(any.upTo(Duration.ofDays(2))));
    }
    if (any.percent(15)) {
      draft = draft.until(now.plus(Duration.ofDays(3)).plus(any.upTo(Duration.ofDays(12))));
    }
    return rules.ruled(draft).catchUp(catchUp());
  }

  private ScheduleDraft timed(ScheduleDraft draft) {
    if (any.percent(8)) {
      return draft.every(Duration.ofMinutes(40)).afterFinish();
    }
    if (any.percent(15)) {
      return rules.timed(draft);
    }
    if (any.percent(40)) {
      return draft.every(Duration.ofMinutes(any.oneOf(10, 15, 20, 30, 60)));
    }
    Cron cron =
        Cron.parse(
            any.oneOf(
                "*/10 * * * *",
                "*/15 * * * *",
                "15,45 1-20 * * *",
                "0 * * * *",
                "30 1,2 * * *",
                "30 2 * * *"),
            ZoneId.of(any.oneOf("UTC", "Europe/Rome", "Australia/Lord_Howe", "America/New_York")));
    return draft.timing(
        any.percent(30)
            ? cron.withGap(DstGap.SKIP).withOverlap(any.oneOf(DstOverlap.values()))
            : cron);
  }

  private CatchUp catchUp() {
    CatchUp catchUp = CatchUp.of(any.oneOf(CatchUp.Mode.values())).limit(any.number(1, 6));
    return any.percent(40) ? catchUp.maxAge(Duration.ofHours(any.number(1, 40))) : catchUp;
  }
}
