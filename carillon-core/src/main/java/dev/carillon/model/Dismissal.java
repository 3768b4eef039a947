package dev.carillon.model;

/**
 * The decision of an operator that a failed run is not to run again.
 *
 * @param reason why
 * @param changedBy when, and who
 */
public record Dismissal(String reason, ChangedBy changedBy) {}
