package dev.carillon.server;

import dev.carillon.Carillon;
import dev.carillon.TargetRegistry;
import dev.carillon.model.ChangeResult;
import dev.carillon.model.Failure;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.server.api.TargetKind;
import dev.carillon.server.api.TargetTestReport;
import dev.carillon.server.store.StoredTarget;
import dev.carillon.server.web.Problem.FieldError;
import dev.carillon.store.workflow.WorkflowStore;
import dev.carillon.target.Target;
import dev.carillon.targets.AcceptedAsSucceeded;
import dev.carillon.targets.EndpointGone;
import dev.carillon.targets.LogTarget;
import dev.carillon.targets.NoopTarget;
import dev.carillon.targets.SettingsException;
import dev.carillon.targets.http.ExecutorSettings;
import dev.carillon.targets.http.HttpExecutor;
import dev.carillon.targets.http.HttpSender;
import dev.carillon.targets.http.HttpTarget;
import dev.carillon.targets.http.HttpTargetSettings;
import dev.carillon.targets.http.ScheduleZones;
import dev.carillon.targets.http.TestDelivery;
import dev.carillon.targets.workflow.Launch;
import dev.carillon.targets.workflow.RunLauncher;
import dev.carillon.targets.workflow.WorkflowTarget;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The kinds of targets that can be defined while a server runs. */
final class TargetKinds {
  private static final Logger LOG = LoggerFactory.getLogger(TargetKinds.class);

  private static final int MAX_ACTOR = 200;
  private static final Duration LOOKUP_TIMEOUT = Duration.ofSeconds(3);

  private TargetKinds() {}

  static Map<String, TargetKind> all(
      HttpSender sender, Carillon carillon, WorkflowStore workflows) {
    var kinds = new LinkedHashMap<String, TargetKind>();
    kinds.put("http", new Http(sender, carillon, new VersionZones(carillon)));
    kinds.put("workflow", new WorkflowKind(sender, carillon, workflows));
    kinds.put(
        "worker",
        new Plain(
            TargetRegistry::putRemote,
            (label, payload) ->
                TargetTestReport.notTested(
                    "workers fetch the runs of this target, and nothing is sent to them; start one"
                        + " with POST /api/v1/runs, and see whether a worker takes it")));
    kinds.put(
        "log",
        new Plain(
            (registry, label) -> registry.put(label, new LogTarget(), Integer.MAX_VALUE),
            (label, payload) -> {
              LogTarget.test(label, payload);
              return TargetTestReport.succeeded("a line was written to the log of the server");
            }));
    kinds.put(
        "noop",
        new Plain(
            (registry, label) -> registry.put(label, new NoopTarget(), Integer.MAX_VALUE),
            (label, payload) -> TargetTestReport.succeeded("runs of this target do nothing")));
    return kinds;
  }

  /** Puts a target that needs no settings into a registry. */
  @FunctionalInterface
  private interface Putting {
    void put(TargetRegistry registry, String label);
  }

  /** A kind without settings. */
  private record Plain(Putting putting, BiFunction<String, Payload, TargetTestReport> testing)
      implements TargetKind {
    @Override
    public List<Failure> warnings(Map<String, ? extends @Nullable Object> settings) {
      return List.of();
    }

    @Override
    public void test(StoredTarget target, Payload payload, Consumer<TargetTestReport> done) {
      done.accept(testing.apply(target.label(), payload));
    }

    @Override
    public List<FieldError> errors(Map<String, ? extends @Nullable Object> settings) {
      return settings.keySet().stream()
          .filter(name -> !name.equals("type"))
          .map(
              name -> FieldError.at("/" + name, "a target of this type has no settings; remove it"))
          .toList();
    }

    @Override
    public void register(TargetRegistry registry, StoredTarget target) {
      putting.put(registry, target.label());
    }

    @Override
    public Map<String, Object> shown(
        Map<String, ? extends @Nullable Object> settings, boolean whole) {
      return Map.of();
    }
  }

  /** Send an endpoint a message that is no run, and report once what came of it. */
  static void test(
      HttpSender sender,
      HttpTargetSettings settings,
      Payload payload,
      Carillon carillon,
      Consumer<TestDelivery> done) {
    TestDelivery.send(
        sender, settings, "test-" + UUID.randomUUID(), payload, carillon.clock().instant(), done);
  }

  private static List<Failure> objections(HttpSender sender, HttpTargetSettings settings) {
    return sender.objection(settings.url(), LOOKUP_TIMEOUT).stream().toList();
  }

  private static List<FieldError> faults(Runnable parsing) {
    try {
      parsing.run();
      return List.of();
    } catch (SettingsException e) {
      return e.faults().stream()
          .map(fault -> FieldError.at(fault.pointer(), fault.message()))
          .toList();
    }
  }

  /** Pause the schedule called {@code key} because its target wants no more runs. */
  private static void pause(Carillon carillon, String key, String label, String reason) {
    carillon
        .schedules()
        .as(actor(label))
        .pause(key, reason)
        .filter(changeResult -> changeResult.change() == ChangeResult.Change.PAUSED)
        .ifPresent(changeResult -> LOG.info("schedule {} is paused: {}", key, reason));
  }

  /** Pause the schedule whose run found the endpoint of its target gone. */
  static void pause(Carillon carillon, EndpointGone gone) {
    gone.schedule().ifPresent(key -> pause(carillon, key, gone.target(), gone.reason()));
  }

  /** Return {@code target}, whose runs end as {@code settings} say. */
  static Target completing(ExecutorSettings settings, Target target) {
    return settings.completion() == ExecutorSettings.Completion.ACCEPTED
        ? new AcceptedAsSucceeded(target)
        : target;
  }

  /** Return a target that has {@code sender} hand workflows to an executor. */
  static Target workflow(
      String label,
      ExecutorSettings settings,
      HttpSender sender,
      Carillon carillon,
      WorkflowStore workflows) {
    var executor =
        new HttpExecutor(
            sender,
            settings.http(),
            carillon.clock(),
            (launch, reason) -> pauseLaunched(carillon, label, launch, reason));
    return completing(
        settings, new WorkflowTarget(new RunLauncher(workflows, executor, sender::runAsync)));
  }

  private static void pauseLaunched(Carillon carillon, String label, Launch launch, String reason) {
    launch
        .context()
        .run()
        .flatMap(carillon.runs()::get)
        .flatMap(Run::schedule)
        .ifPresent(key -> pause(carillon, key, label, reason));
  }

  private static String actor(String label) {
    String name = "target " + label;
    return name.length() <= MAX_ACTOR ? name : label;
  }

  /** Executors of workflows that are called over HTTP. */
  private record WorkflowKind(HttpSender sender, Carillon carillon, WorkflowStore workflows)
      implements TargetKind {
    @Override
    public List<FieldError> errors(Map<String, ? extends @Nullable Object> settings) {
      return faults(() -> ExecutorSettings.parse(settings));
    }

    @Override
    public List<Failure> warnings(Map<String, ? extends @Nullable Object> settings) {
      return objections(sender, ExecutorSettings.parse(settings).http());
    }

    @Override
    public void test(StoredTarget target, Payload payload, Consumer<TargetTestReport> done) {
      ExecutorSettings executor = ExecutorSettings.parse(target.settings().content());
      TargetKinds.test(
          sender,
          executor.http(),
          payload,
          carillon,
          delivery -> done.accept(TargetTestReport.of(delivery, executor.completion())));
    }

    @Override
    public void register(TargetRegistry registry, StoredTarget target) {
      ExecutorSettings settings = ExecutorSettings.parse(target.settings().content());
      registry.put(
          target.label(),
          workflow(target.label(), settings, sender, carillon, workflows),
          settings.http().maxConcurrent());
    }

    @Override
    public Map<String, Object> shown(
        Map<String, ? extends @Nullable Object> settings, boolean whole) {
      ExecutorSettings executor = ExecutorSettings.parse(settings);
      Map<String, Object> shown = whole ? executor.shownToOwner() : executor.shown();
      shown.remove("type");
      return shown;
    }
  }

  /** Endpoints that are called over HTTP. */
  private record Http(HttpSender sender, Carillon carillon, ScheduleZones zones)
      implements TargetKind {
    @Override
    public List<FieldError> errors(Map<String, ? extends @Nullable Object> settings) {
      return faults(() -> HttpTargetSettings.parse(settings));
    }

    @Override
    public List<Failure> warnings(Map<String, ? extends @Nullable Object> settings) {
      return objections(sender, HttpTargetSettings.parse(settings));
    }

    @Override
    public void test(StoredTarget target, Payload payload, Consumer<TargetTestReport> done) {
      HttpTargetSettings http = HttpTargetSettings.parse(target.settings().content());
      TargetKinds.test(
          sender, http, payload, carillon, delivery -> done.accept(TargetTestReport.of(delivery)));
    }

    @Override
    public void register(TargetRegistry registry, StoredTarget target) {
      HttpTargetSettings settings = HttpTargetSettings.parse(target.settings().content());
      registry.put(
          target.label(),
          new HttpTarget(sender, settings, carillon.clock(), gone -> pause(carillon, gone), zones),
          settings.maxConcurrent());
    }

    @Override
    public Map<String, Object> shown(
        Map<String, ? extends @Nullable Object> settings, boolean whole) {
      HttpTargetSettings http = HttpTargetSettings.parse(settings);
      Map<String, Object> shown = whole ? http.shownToOwner() : http.shown();
      shown.remove("type");
      return shown;
    }
  }
}
