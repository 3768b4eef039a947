package dev.carillon.server.api;

import dev.carillon.model.Payload;
import dev.carillon.model.RunFilter;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.web.QueryParameter;
import java.time.Instant;

/** Whether a list of runs has those that are planned for later, which few requests ask for. */
public final class PlannedRunsFilter {
  static final QueryParameter PARAMETER =
      QueryParameter.flag(
          "planned",
          "With those planned for later, or without. Unless said, they are listed only if"
              + " state, correlation, payload, to, or a from that is yet to come asks for them.");

  private PlannedRunsFilter() {}

  /** Return {@code filter}, without planned runs unless {@code parameters} want them. */
  static RunFilter read(QueryParameters parameters, RunFilter filter, Instant now) {
    boolean said = parameters.text(PARAMETER.name()).isPresent();
    boolean wanted = said ? parameters.flag(PARAMETER.name()) : isAskedFor(filter, now);
    return wanted ? filter : filter.dueBy(now);
  }

  /** Return {@code filter}, without planned runs unless it asks for them. */
  public static RunFilter unlessAskedFor(RunFilter filter, Instant now) {
    return isAskedFor(filter, now) ? filter : filter.dueBy(now);
  }

  private static boolean isAskedFor(RunFilter filter, Instant now) {
    return filter.state().isPresent()
        || filter.correlation().isPresent()
        || !filter.payload().equals(Payload.EMPTY)
        || filter.from().isAfter(now)
        || filter.until().isBefore(RunFilter.all().until());
  }
}
