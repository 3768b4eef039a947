package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.model.Dropped.Reason;
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
final class Missed {
  private final Standing standing;
  private final Timing timing;
  private final Window window;
  private final CatchUp catchUp;
  private final Instant after;
  private final Instant through;
  private final Instant oldest;
  private final List<Instant> chosen;
  private final Optional<Instant> left;

  /** Choose at most {@code most} slots, if all of them run at once. */
  Missed(Standing standing, Instant now, int most) {
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
    through = Instants.earlier(window.until(), Instants.justBefore(now.minus(catchUp.grace())));
    oldest = catchUp.maxAge().map(now::minus).orElse(Instant.MIN);
    List<Instant> running =
        switch (catchUp.mode()) {
          case SKIP -> List.of();
          case ONCE -> newest(1);
          case SPREAD -> newest(catchUp.limit());
          case ALL -> first(most + 1);
        };
    boolean cut = catchUp.mode() == CatchUp.Mode.ALL && running.size() > most;
    chosen = cut ? running.subList(0, most) : running;
    left = cut ? Optional.of(running.get(most)) : Optional.empty();
  }

  /** The last instant at which a slot counts as missed. */
  Instant through() {
    return through;
  }

  /** The slots that run, oldest first. */
  List<Instant> chosen() {
    return chosen;
  }

  /** The first of those that run as well, but not in this turn. */
  Optional<Instant> left() {
    return left;
  }

  /** Return how many slots run, in this turn or later. */
  long running() {
    return switch (catchUp.mode()) {
      case SKIP -> 0;
      case ONCE -> chosen.size();
      case ALL, SPREAD -> Math.min(catchUp.limit(), young());
    };
  }

  /** Record the slots that do not run. */
  void dropInto(Drops drops) {
    Instant dropThrough =
        chosen.stream().findFirst().or(() -> left).map(Instants::justBefore).orElse(through);
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
