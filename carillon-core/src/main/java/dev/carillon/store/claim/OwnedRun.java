package dev.carillon.store.claim;

import dev.carillon.model.Run;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.run.Owner;
import dev.carillon.store.run.RunRows;
import java.util.Optional;

/**
 * A live run and who has it.
 *
 * @param run the run
 * @param holder the node, the worker, or whoever accepted it; empty while it is pending
 */
public record OwnedRun(Run run, Optional<Owner> holder) {
  static OwnedRun of(Row row) {
    return new OwnedRun(
        RunRows.toRun(row),
        row.optionalUuid("node_id")
            .flatMap(id -> row.optionalNumber("node_epoch").map(epoch -> new Owner(id, epoch))));
  }

  /** Tell whether it was accepted elsewhere, and so goes on without any node. */
  public boolean isAccepted() {
    return holder.filter(Owner::isAccepted).isPresent();
  }
}
