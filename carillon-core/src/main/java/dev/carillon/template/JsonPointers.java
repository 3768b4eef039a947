package dev.carillon.template;

/** Writes JSON pointers as RFC 6901 has them. */
final class JsonPointers {
  private JsonPointers() {}

  static String step(Object nameOrPosition) {
    return "/" + nameOrPosition.toString().replace("~", "~0").replace("/", "~1");
  }
}
