package dev.carillon.simulation;

/** The end of a node's process, wherever it just was. An error, so that nothing handles it. */
final class SimulatedCrash extends Error {
  private static final long serialVersionUID = 1L;

  SimulatedCrash(String node) {
    super(node + " crashed", null, false, false);
  }
}
