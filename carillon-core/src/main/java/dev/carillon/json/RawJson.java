package dev.carillon.json;

/**
 * JSON that is written as it stands, as a part of a larger text.
 *
 * @param text the JSON, which is known to be good
 */
public record RawJson(String text) {}
