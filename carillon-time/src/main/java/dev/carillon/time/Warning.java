package dev.carillon.time;

/**
 * Something legal that is probably not what its writer meant.
 *
 * @param code stable name, such as {@code DOM_DOW_OR}
 * @param message one sentence for people, with the cure
 */
public record Warning(String code, String message) {}
