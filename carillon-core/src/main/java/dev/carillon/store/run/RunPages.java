package dev.carillon.store.run;

import dev.carillon.model.Page;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.store.jdbc.PageToken;
import dev.carillon.store.jdbc.Pages;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Pages of runs. Triggers, nodes, texts, payloads, scopes and dismissals have no index: a page
 * looks for them among at most two thousand runs that match the rest of the filter.
 */
public final class RunPages {
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
  public Page<Run> page(RunFilter filter, Optional<String> after, int limit) {
    Pages.checked(limit);
    RunFilter start = start(filter, after);
    if (start.indexed().equals(start)) {
      return cut(lists.list(start, limit + 1), limit);
    }
    return look(start, filter::fits, limit, most);
  }

  /** Return a page of the dead letters that {@code filter} matches. */
  public Page<Run> deadLetters(RunFilter filter, Optional<String> after, int limit) {
    Pages.checked(limit);
    return look(start(filter, after), run -> run.isDeadLetter() && filter.fits(run), limit, most);
  }

  private static RunFilter start(RunFilter filter, Optional<String> after) {
    return after.map(PageToken::run).map(filter::after).orElse(filter);
  }

  /** Return the runs that {@code filter} matches, without a bound on the runs read. */
  public List<Run> list(RunFilter filter) {
    return filter.text().isEmpty()
            && filter.payload().equals(Payload.EMPTY)
            && filter.scope().isAll()
        ? lists.list(filter)
        : look(filter, filter::fits, filter.limit(), Integer.MAX_VALUE).items();
  }

  private Page<Run> look(RunFilter filter, Predicate<Run> fits, int limit, int bound) {
    var found = new ArrayList<Run>();
    RunScope reach = lists.reach(filter.scope());
    RunFilter rest = reach.narrowed(filter.indexed());
    for (int looked = 0; looked < bound && found.size() <= limit; looked += atOnce) {
      List<Run> some = lists.list(rest, atOnce);
      reach.admitted(some).stream().filter(fits).forEach(found::add);
      if (some.size() < atOnce) {
        return cut(found, limit);
      }
      rest = rest.after(some.get(some.size() - 1).id());
    }
    return found.size() > limit
        ? cut(found, limit)
        : new Page<>(found, rest.after().map(RunPages::token));
  }

  private static Page<Run> cut(List<Run> found, int limit) {
    List<Run> items = found.subList(0, Math.min(limit, found.size()));
    return found.size() <= limit
        ? new Page<>(items, Optional.empty())
        : new Page<>(items, Optional.of(token(items.get(limit - 1).id())));
  }

  private static String token(RunId id) {
    return PageToken.at(PageToken.Of.RUNS, id.toString());
  }
}
