package dev.carillon.time;

/** Finds what is probably not meant. */
final class Lint {
  private Lint() {}
}
