package dev.carillon.model;

import java.util.Optional;

/**
 * One version of a workflow.
 *
 * @param id the name of the workflow
 * @param version the version
 * @param dag its graph, as JSON
 * @param deployed by whom and when it was deployed
 * @param removed by whom and when it was removed
 */
public record Workflow(
    String id, int version, String dag, ChangedBy deployed, Optional<ChangedBy> removed) {}
