package dev.carillon.plan;

import dev.carillon.policy.CatchUp;
import dev.carillon.time.DueRule;
import dev.carillon.time.Timing;
import dev.carillon.time.Window;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * Divides slots whose due time passed while nothing could run them, as {@link MissedSlots} does
 * where the due time is the slot. Slots are looked at one by one, up to {@link JudgedSlots#MAX} of
 * them from either end.
 */
final class MissedDues {
  private final Standing standing;
  private final CatchUp catchUp;
  private final Instant before;
  private final Instant oldest;

  MissedDues(Standing standing, Instant now) {
    this.standing = standing;
    this.catchUp = standing.definition().catchUp();
    this.before = now.minus(catchUp.grace());
    this.oldest = catchUp.maxAge().map(now::minus).orElse(Instant.MIN);
  }

  boolean isMissed(SlotDue slot) {
    return slot.due().isBefore(before);
  }

  boolean isTooOld(SlotDue slot) {
    return slot.due().isBefore(oldest);
  }

  /**
   * Return those that run of {@code missed}, oldest first: the newest ones.
   *
   * @param from where slots begin that were not looked at; empty if there are none
   */
  List<SlotDue> choose(List<SlotDue> missed, Optional<Instant> from) {
    int most =
        switch (catchUp.mode()) {
          case SKIP -> 0;
          case ONCE -> 1;
          case ALL, SPREAD -> catchUp.limit();
        };
    int left = most == 0 ? 0 : most - from.map(after -> newer(after, most)).orElse(0);
    List<SlotDue> young = missed.stream().filter(slot -> !isTooOld(slot)).toList();
    return young.subList(Math.max(0, young.size() - left), young.size());
  }

  /* How many slots after `after` run as well, if as many as `most` do. */
  private int newer(Instant after, int most) {
    DueRule rule = standing.moves().rule();
    Window window = standing.definition().window();
    Timing timing = standing.definition().timing();
    var pipeline = new DuePipeline(standing.key(), standing.definition(), rule);
    Instant end = Instants.justAfter(standing.beforePause(before.plus(rule.maxAdvance())));
    var dues = new HashSet<Instant>();
    Optional<Instant> slot = window.previous(timing, end);
    for (int seen = 0; seen < JudgedSlots.MAX && dues.size() < most; seen++) {
      Optional<SlotDue> judged = slot.filter(found -> found.isAfter(after)).map(pipeline::judge);
      if (judged.isEmpty()) {
        break;
      }
      SlotDue one = judged.get();
      if (one.runs() && isMissed(one) && !isTooOld(one) && !isSettled(one.slot())) {
        dues.add(one.due());
      }
      slot = window.previous(timing, one.slot());
    }
    return dues.size();
  }

  private boolean isSettled(Instant slot) {
    return standing.settled().contains(slot) || standing.moves().decided().contains(slot);
  }

  /** Return how many missed slots that are not planned run. */
  long running(Instant now) {
    JudgedSlots judged = JudgedSlots.upTo(standing, now);
    var merged = new MergedSlots(standing);
    var missed = new ArrayList<SlotDue>();
    for (SlotDue slot : judged.slots()) {
      if (!isSettled(slot.slot())
          && slot.runs()
          && merged.runFor(slot).isEmpty()
          && isMissed(slot)) {
        missed.add(slot);
      }
    }
    Optional<Instant> rest = Optional.of(judged.through()).filter(end -> judged.cut());
    int more = rest.map(after -> newer(after, catchUp.limit())).orElse(0);
    return Math.min(catchUp.limit(), choose(missed, rest).size() + more);
  }
}
