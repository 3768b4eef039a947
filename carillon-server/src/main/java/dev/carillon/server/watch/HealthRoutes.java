package dev.carillon.server.watch;

import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.store.StoreException;
import dev.carillon.store.Vitals;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether the scheduler does its work, and if not, why not. */
public final class HealthRoutes {
  static final int MISSED = 10;
  static final int STALLED = 5;

  private final Pulse pulse;

  /** Judge by {@code pulse}. */
  public HealthRoutes(Pulse pulse) {
    this.pulse = pulse;
  }

  /** Return the routes. */
  public List<Route> routes() {
    return List.of(
        Route.get("/health", Role.VIEWER, "getHealth")
            .summary("Tell whether the scheduler does its work, and if not, why not")
            .answers(200, "Health")
            .answers(503, "Health")
            .vital()
            .by(this::health));
  }

  Reply health(Request request) {
    try {
      Vitals vitals = pulse.take();
      return reply(reasons(vitals), Optional.of(vitals));
    } catch (DatabaseAwayException e) {
      return reply(List.of(String.valueOf(e.getMessage())), Optional.empty());
    } catch (StoreException e) {
      return reply(List.of("the database cannot be asked: " + e.getMessage()), Optional.empty());
    }
  }

  static List<String> reasons(Vitals vitals) {
    var reasons = new ArrayList<String>();
    if (!vitals.here()) {
      reasons.add("not running: this node has no lease, so it starts nothing");
    }
    if (vitals.missed() > MISSED) {
      reasons.add(
          "missed: %s schedules or runs wait for more than a minute; at most %s may"
              .formatted(vitals.missed(), MISSED));
    }
    if (vitals.stalled() > STALLED) {
      reasons.add(
          "stalled: nobody works on %s running runs any more; at most %s may be so"
              .formatted(vitals.stalled(), STALLED));
    }
    return reasons;
  }

  private static Reply reply(List<String> reasons, Optional<Vitals> vitals) {
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("status", reasons.isEmpty() ? "healthy" : "unhealthy");
    body.put("reasons", reasons);
    body.put("numbers", vitals.map(HealthRoutes::numbers).orElse(null));
    return Reply.json(reasons.isEmpty() ? 200 : 503, body);
  }

  private static Map<String, Long> numbers(Vitals vitals) {
    var numbers = new LinkedHashMap<String, Long>();
    numbers.put("missed", vitals.missed());
    numbers.put("stalled", vitals.stalled());
    numbers.put("due", vitals.due());
    numbers.put("nodes", vitals.nodes());
    numbers.put("pending", vitals.runs().getOrDefault("pending", 0L));
    numbers.put("running", vitals.runs().getOrDefault("running", 0L));
    return numbers;
  }
}
