package dev.carillon.server;

import dev.carillon.TargetRegistry;
import dev.carillon.model.Failure;
import dev.carillon.model.Payload;
import dev.carillon.server.api.TargetCatalog;
import dev.carillon.server.api.TargetKind;
import dev.carillon.server.api.TargetTestReport;
import dev.carillon.server.log.RateLimitedLog;
import dev.carillon.server.store.StoredTarget;
import dev.carillon.server.store.TargetStore;
import dev.carillon.server.web.DaemonThreads;
import dev.carillon.server.web.EnduringTask;
import dev.carillon.targets.UnconfiguredTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the targets of this node as they are defined in the database, by any node; what is not
 * defined there is as built in.
 */
final class TargetSync implements TargetCatalog, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TargetSync.class);
  private static final Duration REFRESH_INTERVAL = Duration.ofSeconds(1);

  private final TargetStore store;
  private final TargetRegistry registry;
  private final Map<String, TargetKind> kinds;
  private final BuiltInTargets builtIn;
  private final Supplier<Map<String, Boolean>> offered;
  private Map<String, Boolean> ofOthers = Map.of();
  private final Map<String, Known> known = new HashMap<>();
  private volatile List<String> problems = List.of();
  private final RateLimitedLog unread = new RateLimitedLog();
  private final ScheduledExecutorService refresher =
      Executors.newSingleThreadScheduledExecutor(DaemonThreads.called("carillon-targets"));

  /* A rotation changes the key alone. */
  private record Known(long revision, Optional<String> keyId) {}

  /**
   * Keep {@code registry} in line.
   *
   * @param offered the labels in the code of all nodes, and whether such a node is alive
   */
  TargetSync(
      TargetStore store,
      TargetRegistry registry,
      Map<String, TargetKind> kinds,
      BuiltInTargets builtIn,
      Supplier<Map<String, Boolean>> offered) {
    this.store = store;
    this.offered = offered;
    this.registry = registry;
    this.kinds = Map.copyOf(kinds);
    this.builtIn = builtIn;
    builtIn.labels().forEach(label -> builtIn.register(registry, label));
  }

  @Override
  public TargetStore store() {
    return store;
  }

  /** Return which targets this node cannot use because it lacks a key; empty if none. */
  List<String> problems() {
    return problems;
  }

  /** Register what is defined now, and from now on what others define within a second or so. */
  void start() {
    refresh();
    var unused =
        refresher.scheduleWithFixedDelay(
            new EnduringTask("reading the targets", this::refreshOrLog),
            REFRESH_INTERVAL.toMillis(),
            REFRESH_INTERVAL.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  @Override
  public synchronized void refresh() {
    Set<String> gone = new HashSet<>(known.keySet());
    var unreadable = new ArrayList<StoredTarget>();
    for (StoredTarget target : store.list()) {
      gone.remove(target.label());
      var now = new Known(target.revision(), target.keyId());
      if (!now.equals(known.put(target.label(), now))) {
        register(target);
      }
      if (target.unreadable()) {
        unreadable.add(target);
      }
    }
    problems = UnreadableTargets.problems(unreadable);
    for (String label : gone) {
      known.remove(label);
      if (builtIn.labels().contains(label)) {
        builtIn.register(registry, label);
      } else {
        registry.remove(label);
      }
    }
    followOthers();
  }

  /* What another program has registered in code is accepted here and runs there. */
  private void followOthers() {
    Map<String, Boolean> now = offered.get();
    now.keySet().stream()
        .filter(label -> !registry.labels().contains(label))
        .forEach(registry::putRemote);
    ofOthers.keySet().stream()
        .filter(label -> !now.containsKey(label) && !known.containsKey(label))
        .filter(registry::isRemote)
        .forEach(registry::remove);
    ofOthers = now;
  }

  @Override
  public Optional<Map<String, Object>> builtIn(String label, boolean whole) {
    return builtIn.labels().contains(label)
        ? Optional.of(builtIn.shown(label, whole))
        : Optional.empty();
  }

  @Override
  public void testBuiltIn(String label, Payload payload, Consumer<TargetTestReport> done) {
    builtIn.test(label, payload, done);
  }

  @Override
  public synchronized Optional<Failure> missing(String label) {
    if (known.containsKey(label)) {
      return Optional.empty();
    }
    boolean away = registry.isRemote(label) && Boolean.FALSE.equals(ofOthers.get(label));
    return away ? Optional.of(unserved(label)) : builtIn.missingFor(label);
  }

  @Override
  public synchronized boolean isOfOthers(String label) {
    return registry.isRemote(label) && ofOthers.containsKey(label);
  }

  private static Failure unserved(String label) {
    return Failure.of(
        "target_unserved",
        "target '%s' is in the code of another program, which is not running; runs wait for it"
            .formatted(label));
  }

  /* One target that cannot be read, perhaps from a newer version, must not hide the others. */
  private void register(StoredTarget target) {
    TargetKind kind = kinds.get(target.type());
    if (target.unreadable()) {
      LOG.warn("target {} cannot be used: {}", target.label(), UnreadableTargets.reason(target));
      registry.put(
          target.label(),
          new UnconfiguredTarget(UnreadableTargets.failure(target)),
          Integer.MAX_VALUE);
      return;
    }
    try {
      if (kind == null) {
        throw new IllegalArgumentException("no such type here: " + target.type());
      }
      kind.register(registry, target);
    } catch (RuntimeException e) {
      LOG.warn("target {} cannot be used by this node: {}", target.label(), e.getMessage());
      registry.putRemote(target.label());
    }
  }

  private void refreshOrLog() {
    try {
      refresh();
    } catch (RuntimeException e) {
      unread
          .happened()
          .ifPresent(
              times ->
                  LOG.warn("the targets could not be read, {} times: {}", times, e.getMessage()));
    }
  }

  @Override
  public void close() {
    refresher.shutdownNow();
  }
}
