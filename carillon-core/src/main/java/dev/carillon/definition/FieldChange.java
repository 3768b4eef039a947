package dev.carillon.definition;

import org.jspecify.annotations.Nullable;

/**
 * A field in which two definitions differ.
 *
 * @param field its name
 * @param from what it was, as JSON
 * @param to what it is, as JSON
 */
public record FieldChange(String field, @Nullable Object from, @Nullable Object to) {}
