package dev.carillon.store.claim;

import dev.carillon.model.Run;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.run.Owner;
import dev.carillon.store.run.RunRows;
import java.util.Optional;

/**
 * A live run and its owner, which is empty while it is pending.
 *
 * @param fenceHash the hash of what the worker that leased it last must show
 */
public record OwnedRun(Run run, Optional<Owner> owner, Optional<String> fenceHash) {
  static OwnedRun of(Row row) {
    return new OwnedRun(
        RunRows.toRun(row),
        row.optionalUuid("node_id")
            .flatMap(id -> row.optionalNumber("node_epoch").map(epoch -> new Owner(id, epoch))),
        row.optionalText("fence_hash"));
  }

  /** Tell whether a target accepted it, so that it goes on without a node. */
  public boolean isAccepted() {
    return owner.filter(Owner::isAccepted).isPresent();
  }

  /** Tell whether a worker has it, which alone can say how it ended. */
  public boolean isWithWorker() {
    return fenceHash.isPresent() && owner.filter(Owner::isLeased).isPresent();
  }
}
