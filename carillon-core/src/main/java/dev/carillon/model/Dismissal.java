package dev.carillon.model;

/**
 * That somebody has seen a failed run and does not want it to run again.
 *
 * @param reason why
 * @param changedBy when, and who
 */
public record Dismissal(String reason, ChangedBy changedBy) {}
