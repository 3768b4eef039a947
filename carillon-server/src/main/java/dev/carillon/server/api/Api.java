package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.server.web.Health;
import dev.carillon.server.web.Route;
import dev.carillon.store.Database;
import dev.carillon.store.TargetStore;
import dev.carillon.store.TokenStore;
import dev.carillon.store.WorkflowStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** All routes of a server. */
public final class Api {
  /** Where the routes begin that are part of the contract. */
  static final String ROOT = "/api/v1";

  private Api() {}

  /**
   * Return all routes; the last of them describes the others.
   *
   * @param catalog what is known of the targets
   * @param watching the routes of those who watch
   */
  public static List<Route> routes(
      Health health,
      Carillon carillon,
      Database database,
      Defaults defaults,
      Map<String, TargetKind> kinds,
      TargetCatalog catalog,
      List<Route> watching) {
    var known = new KnownLabels(carillon.targets(), catalog);
    var timings = new TimingForm(carillon.allowedZones());
    var form = new ScheduleForm(defaults, known, timings);
    var workflows = new WorkflowStore(database);
    var launcher = new LaunchRoutes(carillon, workflows, known);
    var routes =
        new ArrayList<>(
            Stream.of(
                    health.routes(),
                    new ScheduleRoutes(carillon, form).routes(),
                    new VersionRoutes(carillon).routes(),
                    new ActionRoutes(carillon).routes(),
                    new BulkRoutes(carillon).routes(),
                    new FireRoutes(carillon).routes(),
                    new TimingRoutes(carillon.clock(), timings).routes(),
                    new RunRoutes(carillon, known, timings).routes(),
                    new DeadLetterRoutes(carillon).routes(),
                    new WorkflowRoutes(
                            carillon, workflows, new WorkflowForm(defaults, known, timings))
                        .routes(),
                    launcher.routes(),
                    new TimeoutRoutes(carillon, known).routes(),
                    new WorkerRoutes(carillon, known).routes(),
                    new TargetRoutes(carillon, new TargetStore(database), kinds, catalog).routes(),
                    new TokenRoutes(carillon.clock(), new TokenStore(database)).routes(),
                    new ClusterRoutes(carillon).routes(),
                    new RegistrarRoutes(
                            carillon, new UpsertForm(defaults, known, carillon.allowedZones()))
                        .routes(),
                    new RunLauncherRoutes(launcher::start).routes(),
                    new CronJobRoutes(carillon, new CronJobForm(known, timings)).routes(),
                    new CronRunRoutes(carillon).routes(),
                    watching,
                    new ProblemRoutes().routes())
                .flatMap(List::stream)
                .toList());
    routes.addAll(OpenApi.routes(routes));
    return List.copyOf(routes);
  }
}
