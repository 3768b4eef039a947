package dev.carillon.server.store;

import dev.carillon.model.AuditEntry;
import dev.carillon.model.Run;
import java.util.Optional;

/** A committed change: either a run that ended, or an audit entry about a schedule. */
public record Change(ChangePosition place, Optional<Run> run, Optional<AuditEntry> audit) {}
