package dev.carillon.model;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A line of the audit: who changed what.
 *
 * @param id its number; later lines have higher ones
 * @param changedBy by whom and when
 * @param action such as {@code schedule.paused}
 * @param schedule the key of the schedule it is about
 * @param details what else there is to say, by name
 */
public record AuditEntry(
    long id,
    ChangedBy changedBy,
    String action,
    Optional<String> schedule,
    Map<String, @Nullable Object> details) {}
