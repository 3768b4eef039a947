package dev.carillon;

import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.Schedule;
import dev.carillon.plan.DueMoves;
import dev.carillon.plan.SlotsToCome;
import dev.carillon.policy.Pacing;
import dev.carillon.store.calendar.RuleBooks;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.RunStore;
import dev.carillon.time.Due;
import dev.carillon.time.DueRule;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.Timing;
import dev.carillon.time.Window;
import dev.carillon.time.business.CalendarTiming;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The past slots of a schedule that a backfill is about: those that are free, and what became of
 * the others. A slot is free if it has no run, or if its run was skipped or canceled. Of slots that
 * are due together, the first stands for all.
 */
final class BackfillSlots {
  private static final int CHUNK = 1_000;
  private static final int MAX_LOOKED_AT = 100_000;
  private static final Set<RunState> FREE = Set.of(RunState.SKIPPED, RunState.CANCELED);

  private final Schedule schedule;
  private final BackfillDraft draft;
  private final Instant latest;
  private final RunStore runs;
  private final Transaction tx;
  private final List<Instant> fresh = new ArrayList<>();
  private final List<Instant> again = new ArrayList<>();
  private final List<Instant> free = new ArrayList<>();
  private final Map<RunState, Integer> taken = new EnumMap<>(RunState.class);
  private final Map<Instant, Instant> slotByDue = new HashMap<>();
  private final Map<Instant, Instant> merged = new HashMap<>();
  /* Those for which another slot has the run. */
  private final Set<Instant> stoodFor = new HashSet<>();
  private int seen;
  private int offDays;
  private boolean more;

  private BackfillSlots(
      Transaction tx, Schedule schedule, BackfillDraft draft, Instant latest, RunStore runs) {
    this.schedule = schedule;
    this.draft = draft;
    this.latest = latest;
    this.runs = runs;
    this.tx = tx;
  }

  /**
   * Look at the slots of a schedule that is locked.
   *
   * @param latest slots after this are left to planning
   */
  static BackfillSlots of(
      Transaction tx, Schedule schedule, BackfillDraft draft, Instant latest, RunStore runs) {
    if (schedule.definition().pacing() == Pacing.FINISH) {
      throw new InvalidValueException(
          "schedule '%s' has no past slots: each begins when a run has ended"
              .formatted(schedule.key()));
    }
    var slots = new BackfillSlots(tx, schedule, draft, latest, runs);
    slots.look();
    return slots;
  }

  private void look() {
    var chunk = new ArrayList<Instant>(CHUNK);
    DueRule rule = RuleBooks.read(tx).ruleOrNone(schedule.definition());
    Instant first = SlotsToCome.after(timing(), rule, before(draft.from()));
    Instant last = SlotsToCome.after(timing(), rule, through());
    Instant begin = before(begin(rule));
    for (Instant slot : window().between(timing(), first.isBefore(begin) ? first : begin, last)) {
      if (seen + offDays + merged.size() == MAX_LOOKED_AT || free.size() > draft.limit()) {
        more = true;
        break;
      }
      Due due = rule.due(slot);
      Optional<Instant> into = due instanceof Due.At at ? first(at.at(), slot) : Optional.empty();
      if (!slot.isAfter(first)) {
        continue;
      }
      if (due instanceof Due.Dropped dropped && dropped.policy() == Due.Policy.CALENDAR) {
        offDays++;
        continue;
      }
      if (timing() instanceof CalendarTiming && !window().contains(rule.named(slot))) {
        continue;
      }
      into.ifPresentOrElse(run -> merged.put(slot, run), () -> seen++);
      chunk.add(slot);
      if (chunk.size() == CHUNK) {
        sort(chunk);
      }
    }
    sort(chunk);
    List.of(free, fresh, again).forEach(slots -> slots.removeIf(stoodFor::contains));
    more |= free.size() > draft.limit();
  }

  /* Slots before the range may have the run for slots in it. */
  private Instant begin(DueRule rule) {
    return DueMoves.mayMerge(rule)
        ? draft.from().minus(rule.maxAdvance()).minus(rule.maxDelay())
        : draft.from();
  }

  /* Slots that are due together are one run: that of the first. */
  private Optional<Instant> first(Instant due, Instant slot) {
    return Optional.ofNullable(slotByDue.putIfAbsent(due, slot));
  }

  private void sort(List<Instant> chunk) {
    if (chunk.isEmpty()) {
      return;
    }
    Map<Instant, RunState> known = runs.states(tx, schedule.id(), chunk);
    for (Instant slot : chunk) {
      RunState state = known.get(slot);
      boolean isFree = state == null || FREE.contains(state);
      Instant run = merged.get(slot);
      if (run != null) {
        if (!isFree) {
          stoodFor.add(run);
        }
      } else if (isFree) {
        free.add(slot);
        if (free.size() <= draft.limit()) {
          (state == null ? fresh : again).add(slot);
        }
      } else {
        taken.merge(state, 1, Integer::sum);
      }
    }
    chunk.clear();
  }

  /** Return the slots to fill, oldest first. */
  List<Instant> free() {
    return free.subList(0, Math.min(free.size(), draft.limit()));
  }

  /** Return those of {@link #free} that have no run. */
  List<Instant> fresh() {
    return fresh;
  }

  /** Return those of {@link #free} that have a run, which was skipped or canceled. */
  List<Instant> again() {
    return again;
  }

  /** Return what a backfill did that filled {@code slots} with {@code runs}. */
  BackfillResult result(List<Instant> slots, List<RunId> runs, int again) {
    return new BackfillResult(slots, runs, again, seen, taken, more, why());
  }

  private Optional<String> why() {
    var said = new ArrayList<String>();
    if (seen == 0) {
      said.add(nothing());
    }
    if (offDays > 0) {
      said.add("%s more are left out by the calendar".formatted(offDays));
    }
    int together = merged.size() + stoodFor.size();
    if (together > 0) {
      said.add(
          "%s more %s part of the run of another slot, with which %s due"
              .formatted(
                  together, together == 1 ? "is" : "are", together == 1 ? "it is" : "they are"));
    }
    if (!taken.isEmpty()) {
      said.add(
          "%s of %s slots %s a run: %s"
              .formatted(
                  total(),
                  seen,
                  total() == 1 ? "has" : "have",
                  taken.entrySet().stream()
                      .map(one -> one.getValue() + " " + word(one.getKey()))
                      .collect(Collectors.joining(", "))));
    }
    if (taken.containsKey(RunState.FAILED)) {
      said.add("failed runs are dead letters, to be driven again or dismissed");
    }
    if (more) {
      said.add(
          free.size() > draft.limit()
              ? "the limit of %s is reached; repeat it for the slots after that"
                  .formatted(draft.limit())
              : "only the first %s slots were looked at; begin later".formatted(MAX_LOOKED_AT));
    }
    return said.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", said));
  }

  private String nothing() {
    String range = "from " + draft.from() + " to " + draft.to();
    if (draft.from().isAfter(latest)) {
      return "the slots %s are left to planning: they are not past, or not planned yet"
          .formatted(range);
    }
    return timing().between(before(draft.from()), through()).iterator().hasNext()
        ? "the slots %s are outside the window of the schedule".formatted(range)
        : "the schedule has no past slot %s".formatted(range);
  }

  private int total() {
    return taken.values().stream().mapToInt(Integer::intValue).sum();
  }

  private Timing timing() {
    return schedule.definition().timing();
  }

  private Window window() {
    return schedule.definition().window();
  }

  private Instant through() {
    return draft.to().isBefore(latest) ? draft.to() : latest;
  }

  private static Instant before(Instant from) {
    return from.minusNanos(1_000);
  }

  private static String word(RunState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }
}
