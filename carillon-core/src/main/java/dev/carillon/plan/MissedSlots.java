package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.policy.CatchUp;
import dev.carillon.time.Timing;
import dev.carillon.time.Window;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The slots that passed while nothing could run them, as catch-up divides them: too old, too many,
 * chosen now, left for later. Only the chosen ones are walked, however long the outage.
 */
final class MissedSlots {
  private final Standing standing;
  private final Timing timing;
  private final Window window;
  private final CatchUp catchUp;
  private final Instant after;
  private final Instant through;
  private final Instant oldest;

  MissedSlots(Standing standing, Instant now) {
    Definition definition = standing.definition();
    this.standing = standing;
    timing = definition.timing();
    window = definition.window();
    catchUp = definition.catchUp();
    Instant opening = window.from();
    after =
        standing.plannedThrough().isBefore(opening)
            ? Instants.justBefore(opening)
            : standing.plannedThrough();
    through =
        standing.beforePause(
            Instants.earlier(window.until(), Instants.justBefore(now.minus(catchUp.grace()))));
    oldest = catchUp.maxAge().map(now::minus).orElse(Instant.MIN);
  }

  /** The last instant at which a slot counts as missed. */
  Instant through() {
    return through;
  }

  /**
   * The slots that run.
   *
   * @param now in this turn, oldest first
   * @param left the first of those that run as well, but later
   */
  record Chosen(List<Instant> now, Optional<Instant> left) {
    private Optional<Instant> first() {
      return now.stream().findFirst().or(() -> left);
    }
  }

  /** Choose the slots that run: at most {@code most} in this turn, if all of them do at once. */
  Chosen choose(int most) {
    return switch (catchUp.mode()) {
      case SKIP -> new Chosen(List.of(), Optional.empty());
      case ONCE -> new Chosen(newest(1), Optional.empty());
      case SPREAD -> new Chosen(newest(catchUp.limit()), Optional.empty());
      case ALL -> cut(first(most + 1), most);
    };
  }

  private static Chosen cut(List<Instant> slots, int most) {
    return slots.size() > most
        ? new Chosen(slots.subList(0, most), Optional.of(slots.get(most)))
        : new Chosen(slots, Optional.empty());
  }

  /** Return how many slots run, in this turn or later, without walking them. */
  long running() {
    return switch (catchUp.mode()) {
      case SKIP -> 0;
      case ONCE -> newest(1).size();
      case ALL, SPREAD -> Math.min(catchUp.limit(), Math.max(0, young()));
    };
  }

  /** Record the slots that do not run because others are {@code chosen}. */
  void dropInto(DropCollector drops, Chosen chosen) {
    Instant dropThrough = chosen.first().map(Instants::justBefore).orElse(through);
    Instant tooOldThrough = dropThrough;
    if (isLimited()) {
      tooOldThrough = Instants.earlier(tooOld(), dropThrough);
    }
    drops.add(after, tooOldThrough, Reason.MISSED);
    drops.add(tooOldThrough, dropThrough, Reason.LIMIT);
  }

  private boolean isLimited() {
    return catchUp.mode() == CatchUp.Mode.ALL || catchUp.mode() == CatchUp.Mode.SPREAD;
  }

  /** The last instant at which a slot is too old. */
  private Instant tooOld() {
    return Instants.justBefore(Instants.later(oldest, Instants.justAfter(after)));
  }

  /* Of those that are not too old; what another timing left behind is none of them. */
  private long young() {
    Instant start = tooOld();
    if (!start.isBefore(through)) {
      return 0;
    }
    long taken =
        standing.settled().subSet(Instants.justAfter(start), Instants.justAfter(through)).stream()
            .filter(timing::matches)
            .count();
    return window.between(timing, start, through).count() - taken;
  }

  private List<Instant> first(int most) {
    Instant start = tooOld();
    long young = young();
    if (young <= 0) {
      return List.of();
    }
    if (young > catchUp.limit()) {
      start = Instants.justBefore(newest(catchUp.limit()).get(0));
    }
    return window.between(timing, start, through).stream()
        .filter(slot -> !standing.settled().contains(slot))
        .limit(most)
        .toList();
  }

  private List<Instant> newest(int most) {
    var newestFirst = new ArrayList<Instant>();
    Instant before = Instants.justAfter(through);
    while (newestFirst.size() < most) {
      Optional<Instant> slot =
          window
              .previous(timing, before)
              .filter(found -> found.isAfter(after) && !found.isBefore(oldest));
      if (slot.isEmpty()) {
        break;
      }
      before = slot.get();
      if (!standing.settled().contains(before)) {
        newestFirst.add(before);
      }
    }
    Collections.reverse(newestFirst);
    return newestFirst;
  }
}
