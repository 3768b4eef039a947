package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.model.Dropped.Reason;
import dev.carillon.policy.CatchUp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The slots that passed while nothing could run them, as catch-up divides them: too old, too many,
 * chosen. Only the chosen ones are walked, however long the outage.
 */
final class Missed {
  private final Instant after;
  private final Instant through;
  private final Instant oldest;
  private final CatchUp catchUp;
  private final List<Instant> chosen;

  Missed(Standing standing, Instant now) {
    Definition definition = standing.definition();
    Instant opening = definition.window().from();
    catchUp = definition.catchUp();
    after =
        standing.plannedThrough().isBefore(opening)
            ? Instants.justBefore(opening)
            : standing.plannedThrough();
    through =
        Instants.earlier(
            definition.window().until(), Instants.justBefore(now.minus(catchUp.grace())));
    oldest = catchUp.maxAge().map(now::minus).orElse(Instant.MIN);
    chosen = newest(most(), standing);
  }

  /** The last instant at which a slot counts as missed. */
  Instant through() {
    return through;
  }

  /** The slots that run, oldest first. */
  List<Instant> chosen() {
    return chosen;
  }

  /** Record the slots that do not run. */
  void dropInto(Drops drops) {
    Instant dropThrough = chosen.isEmpty() ? through : Instants.justBefore(chosen.get(0));
    Instant tooOldThrough = dropThrough;
    if (isLimited()) {
      Instant tooMany = Instants.later(oldest, Instants.justAfter(after));
      tooOldThrough = Instants.earlier(Instants.justBefore(tooMany), dropThrough);
    }
    drops.add(after, tooOldThrough, Reason.MISSED);
    drops.add(tooOldThrough, dropThrough, Reason.LIMIT);
  }

  private boolean isLimited() {
    return catchUp.mode() == CatchUp.Mode.ALL || catchUp.mode() == CatchUp.Mode.SPREAD;
  }

  private int most() {
    return switch (catchUp.mode()) {
      case SKIP -> 0;
      case ONCE -> 1;
      case ALL, SPREAD -> catchUp.limit();
    };
  }

  private List<Instant> newest(int most, Standing standing) {
    Definition definition = standing.definition();
    var newestFirst = new ArrayList<Instant>();
    Instant before = Instants.justAfter(through);
    while (newestFirst.size() < most) {
      Optional<Instant> slot =
          definition
              .window()
              .previous(definition.timing(), before)
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
