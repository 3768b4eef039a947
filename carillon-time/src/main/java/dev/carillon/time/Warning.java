package dev.carillon.time;

/**
 * A finding about a timing that is valid but probably not intended.
 *
 * @param code stable name, such as {@code DOM_DOW_OR}
 * @param message one sentence that explains it and how to fix it
 */
public record Warning(String code, String message) {}
