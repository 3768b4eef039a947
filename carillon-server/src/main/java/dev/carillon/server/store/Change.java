package dev.carillon.server.store;

import dev.carillon.model.AuditEntry;
import dev.carillon.model.Run;
import java.util.Optional;

/**
 * A change that is durable: a run ended, or somebody changed a schedule. One of the two is present.
 *
 * @param place where it stands in the order of all changes
 * @param run the run that ended
 * @param audit what was changed
 */
public record Change(ChangePosition place, Optional<Run> run, Optional<AuditEntry> audit) {}
