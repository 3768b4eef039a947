package dev.carillon.simulation;

/**
 * A law that was broken.
 *
 * @param law its name
 * @param what by what
 */
public record Violation(String law, String what) {
  @Override
  public String toString() {
    return law + ": " + what;
  }
}
