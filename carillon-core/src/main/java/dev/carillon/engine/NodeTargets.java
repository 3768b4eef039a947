package dev.carillon.engine;

import dev.carillon.target.Target;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What runs under each label on this node, and how many runs of it at a time. */
public final class NodeTargets {
  /**
   * A registered target.
   *
   * @param target what runs
   * @param most how many runs of it at a time on this node
   */
  public record Registered(Target target, int most) {}

  private final Map<String, Registered> byLabel = new ConcurrentHashMap<>();
  private final Set<String> inCode = ConcurrentHashMap.newKeySet();

  public void add(String label, Target target, int most) {
    if (byLabel.putIfAbsent(label, new Registered(target, most)) != null) {
      throw new IllegalArgumentException("target '" + label + "' is registered twice");
    }
    inCode.add(label);
  }

  /** Return the labels that were registered before the node started, as its code has them. */
  Set<String> inCode() {
    return Set.copyOf(inCode);
  }

  /** Register a target in place of what had its label before. */
  public void put(String label, Target target, int most) {
    byLabel.put(label, new Registered(target, most));
  }

  /** Forget a target; return whether there was one. */
  public boolean remove(String label) {
    return byLabel.remove(label) != null;
  }

  public Set<String> labels() {
    return Set.copyOf(byLabel.keySet());
  }

  public Optional<Registered> find(String label) {
    return Optional.ofNullable(byLabel.get(label));
  }

  boolean isTransactional(String label) {
    return find(label).filter(one -> one.target() instanceof TransactionalTarget).isPresent();
  }

  int most(String label) {
    return find(label).map(Registered::most).orElse(0);
  }
}
