package dev.carillon.server.api;

import dev.carillon.model.Failure;
import dev.carillon.model.Payload;
import dev.carillon.server.store.TargetStore;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** What a server knows of its targets. */
public interface TargetCatalog {
  /** Return where the targets are that were defined while the scheduler ran. */
  TargetStore store();

  /** Make this node see targets that were just defined. */
  void refresh();

  /**
   * Return a built-in target that may be defined anew as clients see it, without secrets; empty if
   * none has {@code label}.
   *
   * @param whole whether with the query of URLs, for those who may change them
   */
  Optional<Map<String, Object>> builtIn(String label, boolean whole);

  /** Return whether a target with {@code label} is built in and may be defined anew. */
  default boolean isBuiltIn(String label) {
    return builtIn(label, false).isPresent();
  }

  /** Return whether {@code label} is that of a target in the code of another program. */
  boolean isOfOthers(String label);

  /** Send a built-in target a message that is no run, and report once what came of it. */
  void testBuiltIn(String label, Payload payload, Consumer<TargetTestReport> done);

  /** Return why runs with {@code label} will fail until something is set; empty if all is well. */
  Optional<Failure> missing(String label);
}
