package dev.carillon.store.run;

import dev.carillon.model.RunId;
import dev.carillon.store.jdbc.Bind;
import java.util.Collection;
import java.util.function.Function;

/**
 * Binds the keys of runs as three arrays. Statements unnest {@code (select :schedules)} and so on,
 * which hides their number from the planner: it would otherwise scan all runs for a large batch.
 */
public final class RunKeys {
  private RunKeys() {}

  /** Give {@code schedule}, {@code slot} and {@code ordinal} the key of one run. */
  public static Bind bind(Bind bind, RunId id) {
    return bind.set("schedule", id.schedule()).set("slot", id.slot()).set("ordinal", id.ordinal());
  }

  public static <T> Bind bind(Bind bind, Collection<T> items, Function<T, RunId> toId) {
    return bind.array("schedules", "bigint", items, item -> toId.apply(item).schedule())
        .array("slots", "timestamptz", items, item -> toId.apply(item).slot())
        .array("ordinals", "smallint", items, item -> toId.apply(item).ordinal());
  }
}
