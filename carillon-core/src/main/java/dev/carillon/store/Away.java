package dev.carillon.store;

import dev.carillon.model.Run;
import java.util.Optional;

/**
 * A live run and who has it.
 *
 * @param run the run
 * @param holder the node, the worker, or whoever accepted it; empty while it is pending
 */
public record Away(Run run, Optional<Holder> holder) {
  static Away of(Row row) {
    return new Away(
        RunRows.toRun(row),
        row.optionalUuid("node_id")
            .flatMap(id -> row.optionalNumber("node_epoch").map(epoch -> new Holder(id, epoch))));
  }

  /** Tell whether it was accepted elsewhere, and so goes on without any node. */
  public boolean isAccepted() {
    return holder.filter(Holder::isAccepted).isPresent();
  }
}
