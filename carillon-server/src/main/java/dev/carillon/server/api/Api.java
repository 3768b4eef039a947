package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.server.api.compat.CronJobForm;
import dev.carillon.server.api.compat.CronJobRoutes;
import dev.carillon.server.api.compat.CronRunRoutes;
import dev.carillon.server.api.compat.RegistrarRoutes;
import dev.carillon.server.api.compat.RunLauncherRoutes;
import dev.carillon.server.api.compat.UpsertForm;
import dev.carillon.server.api.worker.WorkerRoutes;
import dev.carillon.server.api.workflow.LaunchRoutes;
import dev.carillon.server.api.workflow.TimeoutRoutes;
import dev.carillon.server.api.workflow.WorkflowForm;
import dev.carillon.server.api.workflow.WorkflowRoutes;
import dev.carillon.server.store.ConsoleSessionStore;
import dev.carillon.server.store.TokenStore;
import dev.carillon.server.web.HealthProbes;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Route;
import dev.carillon.server.web.SignInCheck;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.workflow.WorkflowStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** All routes of a server. */
public final class Api {
  /** Where the routes begin that are part of the contract. */
  public static final String ROOT = "/api/v1";

  private Api() {}

  /** Return {@code carillon} as part of the transaction of {@code request}, if that has one. */
  public static Carillon in(Request request, Carillon carillon) {
    return request.transaction().map(carillon::in).orElse(carillon);
  }

  /**
   * Return all routes; the last of them describes the others.
   *
   * @param catalog what is known of the targets
   * @param others the routes by which callers sign in and the server is monitored
   */
  public static List<Route> routes(
      HealthProbes healthProbes,
      Carillon carillon,
      Database database,
      Defaults defaults,
      Map<String, TargetKind> kinds,
      TargetCatalog catalog,
      List<Route> others) {
    var known = new TargetLabels(carillon.targets(), catalog);
    var timings = new TimingForm(carillon.allowedZones());
    var form = new ScheduleForm(defaults, known::read, timings);
    var workflows = new WorkflowStore(database);
    var tokens = new TokenStore(database);
    var launcher = new LaunchRoutes(carillon, workflows, known);
    var routes =
        new ArrayList<>(
            Stream.of(
                    healthProbes.routes(),
                    new ScheduleRoutes(carillon, form, known).routes(),
                    new VersionRoutes(carillon).routes(),
                    new ActionRoutes(carillon).routes(),
                    new BulkRoutes(carillon).routes(),
                    new FireRoutes(carillon).routes(),
                    new ExplainRoutes(carillon).routes(),
                    new ForecastRoutes(carillon).routes(),
                    new TimingRoutes(carillon, timings).routes(),
                    new RunRoutes(carillon, known, timings).routes(),
                    new DeadLetterRoutes(carillon).routes(),
                    new PingRoutes(carillon, new PingForm(timings)).routes(),
                    new WorkflowRoutes(
                            carillon, workflows, new WorkflowForm(defaults, known, timings))
                        .routes(),
                    launcher.routes(),
                    new TimeoutRoutes(carillon, known).routes(),
                    new WorkerRoutes(
                            carillon,
                            known,
                            new SignInCheck(
                                tokens, new ConsoleSessionStore(database), carillon.clock()))
                        .routes(),
                    new TargetRoutes(carillon, catalog.store(), kinds, catalog).routes(),
                    new CalendarRoutes(carillon).routes(),
                    new CalendarImportRoutes(carillon).routes(),
                    new QuietHoursRoutes(carillon).routes(),
                    new FreezeRoutes(carillon).routes(),
                    new TokenRoutes(carillon.clock(), tokens).routes(),
                    new ClusterRoutes(carillon).routes(),
                    new NodeRoutes(carillon).routes(),
                    new AuditRoutes(carillon).routes(),
                    new RegistrarRoutes(
                            carillon, new UpsertForm(defaults, known, carillon.allowedZones()))
                        .routes(),
                    new RunLauncherRoutes(launcher::start).routes(),
                    new CronJobRoutes(carillon, new CronJobForm(known, timings)).routes(),
                    new CronRunRoutes(carillon).routes(),
                    others,
                    new ProblemRoutes().routes())
                .flatMap(List::stream)
                .toList());
    routes.addAll(OpenApi.routes(routes));
    return List.copyOf(routes);
  }
}
