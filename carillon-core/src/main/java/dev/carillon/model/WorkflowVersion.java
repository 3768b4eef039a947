package dev.carillon.model;

import java.util.Optional;

/**
 * One version of a workflow, without its graph.
 *
 * @param id the name of the workflow
 * @param version the version
 * @param deployed by whom and when it was deployed
 * @param removed by whom and when it was removed
 */
public record WorkflowVersion(
    String id, int version, ChangedBy deployed, Optional<ChangedBy> removed) {}
