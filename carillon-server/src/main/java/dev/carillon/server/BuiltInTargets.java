package dev.carillon.server;

import dev.carillon.Carillon;
import dev.carillon.TargetRegistry;
import dev.carillon.model.Failure;
import dev.carillon.model.Payload;
import dev.carillon.server.api.TargetTestReport;
import dev.carillon.store.workflow.WorkflowStore;
import dev.carillon.target.Target;
import dev.carillon.targets.UnconfiguredTarget;
import dev.carillon.targets.guard.AddressGuard;
import dev.carillon.targets.http.ExecutorSettings;
import dev.carillon.targets.http.HttpSender;
import dev.carillon.targets.http.HttpTarget;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The targets of workflows that every server has, until others are defined under their labels: both
 * send to the executor that the server is set to.
 *
 * <p>The executor may be on an internal network, which other targets must not reach: it has a
 * sender of its own, and the sender of all other targets still refuses its address.
 */
final class BuiltInTargets implements AutoCloseable {
  private static final String WORKFLOW = "workflow";
  private static final String TIMEOUT_HANDLER = "workflow_timeout_handler";
  private static final String MISSING = "executor_unknown";

  private final Optional<ExecutorSettings> executor;
  private final @Nullable HttpSender sender;
  private final Carillon carillon;
  private final WorkflowStore workflows;

  /**
   * Describe the targets.
   *
   * @param executor where workflows are run, if that is set
   * @param allowedHosts the inside hosts that every target may call
   */
  BuiltInTargets(
      Optional<ExecutorSettings> executor,
      List<String> allowedHosts,
      Carillon carillon,
      WorkflowStore workflows) {
    this.executor = executor;
    this.carillon = carillon;
    this.workflows = workflows;
    this.sender =
        executor
            .map(settings -> HttpSender.start(allowing(settings.http().url(), allowedHosts)))
            .orElse(null);
  }

  private static AddressGuard allowing(URI executor, List<String> allowedHosts) {
    int port = executor.getPort();
    int usual = executor.getScheme().equalsIgnoreCase("https") ? 443 : 80;
    List<String> allowed = new ArrayList<>(allowedHosts);
    allowed.add(executor.getHost() + ":" + (port < 0 ? usual : port));
    return AddressGuard.allowing(allowed);
  }

  Set<String> labels() {
    return Set.of(WORKFLOW, TIMEOUT_HANDLER);
  }

  /** Make runs with {@code label}, one of ours, go where the server is set to send them. */
  void register(TargetRegistry registry, String label) {
    if (executor.isEmpty() || sender == null) {
      registry.put(label, new UnconfiguredTarget(missing(label)), Integer.MAX_VALUE);
      return;
    }
    ExecutorSettings settings = executor.get();
    Target target =
        label.equals(WORKFLOW)
            ? TargetKinds.workflow(label, settings, sender, carillon, workflows)
            : TargetKinds.completing(
                settings,
                new HttpTarget(
                    sender,
                    settings.http(),
                    carillon.clock(),
                    gone -> TargetKinds.pause(carillon, gone)));
    registry.put(label, target, settings.http().maxConcurrent());
  }

  /** Return what is missing for runs with {@code label} to succeed. */
  Optional<Failure> missingFor(String label) {
    return executor.isEmpty() && labels().contains(label)
        ? Optional.of(missing(label))
        : Optional.empty();
  }

  private static Failure missing(String label) {
    return Failure.of(
        MISSING,
        "no executor is known for target '%s'; set %s (%s, or %s in the environment) on every server, or define the target with PUT /api/v1/targets/%s"
            .formatted(
                label,
                Setting.EXECUTOR_URL.spelling(),
                Setting.EXECUTOR_URL.flag(),
                Setting.EXECUTOR_URL.variable(),
                label));
  }

  /** Send the executor a message that is no run, and report once what came of it. */
  void test(String label, Payload payload, Consumer<TargetTestReport> done) {
    if (executor.isEmpty() || sender == null) {
      done.accept(TargetTestReport.failed(missing(label)));
      return;
    }
    ExecutorSettings settings = executor.get();
    TargetKinds.test(
        sender,
        settings.http(),
        payload,
        carillon,
        delivery -> done.accept(TargetTestReport.of(delivery, settings.completion())));
  }

  /**
   * Return the target with {@code label}, one of ours, as clients see it, without secrets.
   *
   * @param whole whether with the query of URLs
   */
  Map<String, Object> shown(String label, boolean whole) {
    Map<String, Object> shown =
        executor
            .map(settings -> whole ? settings.shownToOwner() : settings.shown())
            .orElseGet(LinkedHashMap::new);
    shown.put("type", label.equals(WORKFLOW) ? "workflow" : "http");
    return shown;
  }

  @Override
  public void close() {
    if (sender != null) {
      sender.close();
    }
  }
}
