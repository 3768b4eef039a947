package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.model.LoadForecast;
import dev.carillon.model.LoadForecast.Coverage;
import dev.carillon.plan.FireGroup.Stretch;
import dev.carillon.policy.Pacing;
import dev.carillon.time.Cron;
import dev.carillon.time.DueRule;
import dev.carillon.time.Jitter;
import dev.carillon.time.Timing;
import dev.carillon.time.Window;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Adds up the fires of many schedules by the minute in which they are due: what {@link Preview}
 * says of each, without a list of them. Takes one group of schedules after the other and keeps none
 * of them. Pure.
 */
public final class FireLoad {
  /* Beyond, slots are not kept to be used again. */
  private static final int MAX_KEPT = 1_000_000;

  /* How often jitter is computed; schedules with few slots always have theirs. */
  private static final long MAX_JITTERED = 40_000_000;
  private static final int MAX_SLOTS = 100_000;
  private static final int FEW_PER_HOUR = 4;

  private final Instant from;
  private final Instant to;
  private final Instant now;
  private final FireTally tally;
  private final SlotCounter slotCounter;
  private final SpreadEstimate spread;
  private final RuledLoad ruled;
  private final MinuteCounts counts = new MinuteCounts();
  private final Map<SameSlots, MinuteCounts> countsOfHashed = new HashMap<>();
  private final Map<Jittered, JitteredSlots> jitteredSlots = new HashMap<>();
  private int kept;
  private long jittered;
  private long onlyNextKnown;
  private long unreadable;
  private long withoutJitter;
  private long withoutRules;

  /** Count fires that are due from {@code from} until before {@code to}, both whole ms. */
  public FireLoad(Instant from, Instant to, Instant now) {
    this.from = from;
    this.to = to;
    this.now = now;
    tally = new FireTally(from, to);
    slotCounter = new SlotCounter(tally, from, to);
    spread = new SpreadEstimate(tally);
    ruled = new RuledLoad(from, to, now);
  }

  /* What decides where slots lie. */
  private record SameSlots(Timing timing, Window window, List<Stretch> stretches, long left) {}

  private record Jittered(Timing timing, Jitter jitter) {}

  /** Return how many keys of a group are needed: as many as are told of a minute. */
  public int maxKeys() {
    return tally.maxKeys();
  }

  /** Leave out schedules whose definition cannot be read. */
  public void addUnreadable(long schedules) {
    unreadable += schedules;
  }

  /** Add the fires of a group; its first key is not before that of the group before. */
  public void add(FireGroup group) {
    Definition definition = group.definition();
    tally.begin(group);
    group.outlook().planned().forEach(dueAt -> tally.add(minute(dueAt), 1));
    if (definition.pacing() == Pacing.FINISH) {
      onlyNextKnown += group.schedules();
    }
    if (group.rule() != DueRule.NONE) {
      addRuled(group);
    } else if (definition.pacing() == Pacing.FINISH) {
      group
          .slotAfterFinish()
          .map(slot -> Instants.later(slot, dueAt(definition, group.keys().get(0), slot)))
          .ifPresent(dueAt -> tally.add(minute(dueAt), 1));
    } else if (definition.jitter().amount().isZero()) {
      addPlain(group);
    } else {
      addJittered(group);
    }
  }

  private int minute(Instant dueAt) {
    return tally.minuteOf(dueAt.toEpochMilli());
  }

  private static Instant dueAt(Definition definition, String key, Instant slot) {
    return definition.jitter().dueAt(definition.timing(), key, slot);
  }

  /* Fires that a calendar or quiet hours may have moved. */
  private void addRuled(FireGroup group) {
    counts.clear();
    boolean found = ruled.each(group, dueAt -> counts.add(minute(dueAt), 1));
    if (!found) {
      withoutRules += group.schedules();
      count(group.definition(), group.stretches(now), group.runsLeft());
    }
    for (int i = 0; i < counts.size(); i++) {
      tally.add(counts.minute(i), counts.count(i));
    }
    if (counts.size() > 0 && group.definition().jitter().amount().isZero()) {
      spread.add(group, counts);
    }
  }

  /* Fires at their slots. */
  private void addPlain(FireGroup group) {
    MinuteCounts found = plain(group);
    for (int i = 0; i < found.size(); i++) {
      tally.add(found.minute(i), found.count(i));
    }
    if (found.size() > 0) {
      spread.add(group, found);
    }
  }

  private MinuteCounts plain(FireGroup group) {
    Definition definition = group.definition();
    List<Stretch> stretches = group.stretches(now);
    boolean hashed =
        definition.timing() instanceof Cron cron && !cron.resolved().equals(cron.expression());
    if (!hashed) {
      return count(definition, stretches, group.runsLeft());
    }
    /* Schedules with H come one by one, though few of their timings differ. */
    var same = new SameSlots(definition.timing(), definition.window(), stretches, group.runsLeft());
    MinuteCounts known = countsOfHashed.get(same);
    if (known != null) {
      return known;
    }
    MinuteCounts found = count(definition, stretches, group.runsLeft());
    if (kept + found.size() <= MAX_KEPT) {
      kept += found.size() + 1;
      countsOfHashed.put(same, found.copy());
    }
    return found;
  }

  private MinuteCounts count(Definition definition, List<Stretch> stretches, long runsLeft) {
    counts.clear();
    long left = runsLeft;
    for (Stretch stretch : stretches) {
      left = slotCounter.count(definition, stretch, left, counts);
    }
    return counts;
  }

  /* Fires of one schedule, each moved by its key. */
  private void addJittered(FireGroup group) {
    Definition definition = group.definition();
    Optional<JitteredSlots> slots = jitteredSlots(definition);
    if (slots.isEmpty()) {
      withoutJitter += group.schedules();
      MinuteCounts found = count(definition, group.stretches(now), group.runsLeft());
      for (int i = 0; i < found.size(); i++) {
        tally.add(found.minute(i), found.count(i));
      }
      return;
    }
    JitteredSlots all = slots.get();
    jittered += all.size();
    long seed = Jitter.seed(group.keys().get(0));
    long left = group.runsLeft();
    for (Stretch stretch : group.stretches(now)) {
      left = addJittered(definition, all, stretch, seed, left);
    }
  }

  private long addJittered(
      Definition definition, JitteredSlots all, Stretch stretch, long seed, long left) {
    Window window = definition.window();
    Instant first = Instants.later(Instants.justAfter(stretch.after()), window.from());
    Instant last = Instants.earlier(stretch.through(), window.until());
    long remaining = left;
    if (left != Long.MAX_VALUE && all.size() > 0) {
      Instant before = Instants.earlier(Instants.justBefore(all.slot(0)), stretch.through());
      if (stretch.after().isBefore(before)) {
        remaining -= window.between(definition.timing(), stretch.after(), before).count();
      }
    }
    for (int i = 0; i < all.size() && remaining > 0; i++) {
      if (!all.slot(i).isBefore(first) && !all.slot(i).isAfter(last)) {
        tally.add(tally.minuteOf(all.dueAt(i, seed)), 1);
        remaining--;
      }
    }
    return Math.max(0, remaining);
  }

  private Optional<JitteredSlots> jitteredSlots(Definition definition) {
    var jitteredTiming = new Jittered(definition.timing(), definition.jitter());
    JitteredSlots known = jitteredSlots.get(jitteredTiming);
    Stretch reach = JitteredSlots.reach(definition.timing(), from, to);
    long size =
        known == null ? definition.timing().count(reach.after(), reach.through()) : known.size();
    boolean few = size <= Math.max(FEW_PER_HOUR, tally.minutes() / 60 * FEW_PER_HOUR);
    if (size > MAX_SLOTS || (!few && jittered + size > MAX_JITTERED)) {
      return Optional.empty();
    }
    if (known != null) {
      return Optional.of(known);
    }
    JitteredSlots slots =
        JitteredSlots.of(definition.timing(), definition.jitter(), reach, Math.toIntExact(size));
    if (kept + slots.size() <= MAX_KEPT) {
      kept += slots.size() + 1;
      jitteredSlots.put(jitteredTiming, slots);
    }
    return Optional.of(slots);
  }

  /** Return what was counted. */
  public LoadForecast forecast(long pausedWithoutEnd) {
    return new LoadForecast(
        from,
        to,
        tally.firstMinute(),
        Arrays.stream(tally.fires()).boxed().toList(),
        new Coverage(
            tally.firing(),
            onlyNextKnown,
            pausedWithoutEnd,
            unreadable,
            withoutJitter,
            withoutRules),
        tally.worst(),
        spread.estimate());
  }
}
