package dev.carillon.server.api;

import dev.carillon.model.Failure;
import java.util.Map;
import java.util.Optional;

/** What a server knows of its targets. */
public interface TargetCatalog {
  /** Make this node see targets that were just defined. */
  void refresh();

  /**
   * Return how a built-in target is told that may be defined anew, without secrets; empty if no
   * such one has {@code label}.
   */
  Optional<Map<String, Object>> builtIn(String label);

  /** Tell whether {@code label} is that of a target in the code of another program. */
  boolean isOfOthers(String label);

  /** Return why runs with {@code label} will fail until something is set; empty if all is well. */
  Optional<Failure> missing(String label);
}
