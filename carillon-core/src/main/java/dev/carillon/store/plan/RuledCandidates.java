package dev.carillon.store.plan;

import dev.carillon.plan.DueMoves;
import dev.carillon.plan.Standing;
import dev.carillon.store.calendar.KnownMoves;
import dev.carillon.store.calendar.RuleBook;
import dev.carillon.store.calendar.RuleBooks;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.plan.PlanStore.Candidate;
import dev.carillon.time.DueRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Adds to schedules that follow a calendar or keep quiet hours what planning wants to know of
 * those.
 */
final class RuledCandidates {
  private RuledCandidates() {}

  static List<Candidate> with(
      Statements statements, RuleBooks ruleBooks, List<Candidate> candidates) {
    if (candidates.stream().noneMatch(one -> one.revision() > 0)) {
      return candidates;
    }
    RuleBook book = ruleBooks.at(statements, candidates.get(0).revision());
    var all = new ArrayList<Candidate>(candidates);
    var ruled = new HashMap<Integer, Standing>();
    for (int i = 0; i < all.size(); i++) {
      Candidate one = all.get(i);
      try {
        Optional<Standing> standing = one.standing();
        if (standing.isPresent()) {
          DueRule rule = book.ruleOf(standing.get().definition());
          if (rule != DueRule.NONE) {
            ruled.put(i, standing.get().moving(DueMoves.by(rule)));
          }
        }
      } catch (IllegalStateException e) {
        all.set(
            i,
            new Candidate(
                one.scheduleId(),
                one.planBy(),
                one.revision(),
                Optional.empty(),
                String.valueOf(e.getMessage())));
      }
    }
    if (!ruled.isEmpty()) {
      Map<Long, DueMoves> moves = KnownMoves.of(statements, List.copyOf(ruled.values()));
      ruled.forEach(
          (place, standing) -> {
            Candidate one = all.get(place);
            DueMoves known = moves.getOrDefault(standing.scheduleId(), standing.moves());
            all.set(
                place,
                new Candidate(
                    one.scheduleId(),
                    one.planBy(),
                    one.revision(),
                    Optional.of(standing.moving(known)),
                    ""));
          });
    }
    return all;
  }
}
