package dev.carillon.store.run;

import dev.carillon.model.Page;
import dev.carillon.model.Payload;
import dev.carillon.model.PayloadUse;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunTimes;
import dev.carillon.store.jdbc.PageRoom;
import dev.carillon.store.jdbc.PageToken;
import dev.carillon.store.jdbc.Pages;
import dev.carillon.store.run.RunQueries.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Pages of runs. Triggers, nodes, texts, payloads, times, scopes and dismissals have no index: a
 * page looks for them among at most two thousand runs that match the rest of the filter.
 */
public final class RunPages {
  /* How many more reads than usual a page may take if they are short because of large runs. */
  private static final int MAX_SHORT = 16;
  private static final int GROWTH = 5;

  private final RunQueries lists;
  private final int most;
  private final int atOnce;

  public RunPages(RunQueries lists) {
    this(lists, 2_000, 100);
  }

  RunPages(RunQueries lists, int most, int atOnce) {
    this.lists = lists;
    this.most = most;
    this.atOnce = atOnce;
  }

  /** Return a page of the runs that {@code filter} matches; its limit is ignored. */
  public Page<Run> page(RunFilter filter, Optional<String> after, int limit, PayloadUse payloads) {
    Pages.checked(limit);
    RunFilter start = start(filter, after);
    PageRoom room = PageRoom.of(limit);
    return start.indexed().equals(start)
        ? cut(lists.page(start, room, limit + 1, payloads), room)
        : look(start, filter::fits, room, most, payloads);
  }

  /** Return a page of the dead letters that {@code filter} matches. */
  public Page<Run> deadLetters(
      RunFilter filter, Optional<String> after, int limit, PayloadUse payloads) {
    Pages.checked(limit);
    return look(
        start(filter, after),
        run -> run.isDeadLetter() && filter.fits(run),
        PageRoom.of(limit),
        most,
        payloads);
  }

  private static RunFilter start(RunFilter filter, Optional<String> after) {
    return after.map(PageToken::run).map(filter::after).orElse(filter);
  }

  /** Return the runs that {@code filter} matches, without a bound on the runs read. */
  public List<Run> list(RunFilter filter) {
    return filter.text().isEmpty()
            && filter.payload().equals(Payload.EMPTY)
            && filter.times().equals(RunTimes.ANY)
            && filter.scope().isAll()
        ? lists.list(filter)
        : look(
                filter,
                filter::fits,
                PageRoom.ofAnySize(filter.limit()),
                Integer.MAX_VALUE,
                PayloadUse.INCLUDED)
            .items();
  }

  /* What is looked at is read in pages too; a payload that is looked for must be read. */
  private Page<Run> look(
      RunFilter filter, Predicate<Run> fits, PageRoom room, int bound, PayloadUse payloads) {
    boolean stripped = payloads == PayloadUse.LEFT_OUT && !filter.payload().equals(Payload.EMPTY);
    var found = new ArrayList<Measured>();
    RunScope reach = lists.reach(filter.scope());
    RunFilter rest = reach.narrowed(filter.indexed());
    int looked = 0;
    int most = atOnce;
    for (int tries = 0; looked < bound && tries < bound / atOnce + MAX_SHORT; tries++) {
      PageRoom some = PageRoom.of(most);
      List<Measured> seen = lists.page(rest, some, most, stripped ? PayloadUse.INCLUDED : payloads);
      Set<RunId> reached =
          reach.admitted(seen.stream().map(Measured::run).toList()).stream()
              .map(Run::id)
              .collect(Collectors.toSet());
      for (Measured one : seen) {
        if (reached.contains(one.run().id()) && fits.test(one.run())) {
          Measured kept = stripped ? one.withoutPayload() : one;
          if (!room.take(kept.jsonBytes())) {
            return cut(found, room);
          }
          found.add(kept);
        }
      }
      if (seen.size() < most && !some.isFull()) {
        return cut(found, room);
      }
      looked += seen.size();
      most = Math.min(Math.max(1, bound - looked), atOnce * GROWTH); // what fits is not near
      rest = rest.after(seen.get(seen.size() - 1).run().id());
    }
    return new Page<>(
        found.stream().map(Measured::run).toList(), rest.after().map(RunPages::token));
  }

  private static Page<Run> cut(List<Measured> found, PageRoom room) {
    return new Page<>(
        found.stream().map(Measured::run).toList(),
        room.isFull()
            ? Optional.of(token(found.get(found.size() - 1).run().id()))
            : Optional.empty());
  }

  private static String token(RunId id) {
    return PageToken.at(PageToken.Of.RUNS, id.toString());
  }
}
