package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.Runs;
import dev.carillon.Schedules;
import dev.carillon.server.web.Request;

/** The schedules and runs that a caller reaches, for whom there are no others. */
public final class Reachable {
  private Reachable() {}

  /** Return the schedules, whose changes are recorded as those of the caller. */
  public static Schedules schedules(Carillon carillon, Request request) {
    return carillon.schedules().as(request.caller().name()).within(request.caller().scope());
  }

  /** Return the runs, whose changes are recorded as those of the caller. */
  public static Runs runs(Carillon carillon, Request request) {
    return carillon.runs().as(request.caller().name()).within(request.caller().scope());
  }
}
