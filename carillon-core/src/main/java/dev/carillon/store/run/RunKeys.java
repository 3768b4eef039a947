package dev.carillon.store.run;

import dev.carillon.model.RunId;
import dev.carillon.store.jdbc.Bind;
import java.util.Collection;
import java.util.function.Function;

/**
 * Binds the keys of runs as three arrays.
 *
 * <p>Statements that find runs by them unnest {@code (select :schedules)} and so on: PostgreSQL
 * then does not know how many there are when it plans. It would else go through all runs once,
 * rather than look up a thousand, whenever it was told last that hardly any is running.
 */
public final class RunKeys {
  private RunKeys() {}

  public static <T> Bind bind(Bind bind, Collection<T> items, Function<T, RunId> toId) {
    return bind.array("schedules", "bigint", items, item -> toId.apply(item).schedule())
        .array("slots", "timestamptz", items, item -> toId.apply(item).slot())
        .array("ordinals", "smallint", items, item -> toId.apply(item).ordinal());
  }
}
