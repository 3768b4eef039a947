package dev.carillon.server;

import dev.carillon.Carillon;
import dev.carillon.server.signin.SignIn;
import dev.carillon.server.signin.Tls;
import dev.carillon.server.web.Desk;
import dev.carillon.server.web.Health;
import dev.carillon.server.web.Routes;
import java.time.InstantSource;
import java.util.List;

/** The scheduler of a server. */
final class Scheduler implements AutoCloseable {
  private final Carillon carillon;
  private final ServerSettings settings;

  private Scheduler(Carillon carillon, ServerSettings settings) {
    this.carillon = carillon;
    this.settings = settings;
  }

  static Scheduler start(ServerSettings settings, Pool pool) {
    var builder =
        Carillon.builder()
            .dataSource(pool.connections())
            .migrate(false)
            .target("noop", context -> {});
    try {
      Carillon carillon = settings.scheduler().applyTo(builder).build();
      return new Scheduler(carillon.start(), settings);
    } catch (IllegalArgumentException e) {
      throw new StartException(String.valueOf(e.getMessage()), e);
    }
  }

  Carillon carillon() {
    return carillon;
  }

  void open(Desk desk, Health health, Notice notice) {
    desk.open(
        new Routes(health.routes()),
        new SignIn(
            List.of(),
            Tls.certificates(settings.tls()),
            settings.signIn().failures(),
            InstantSource.system()),
        (request, work) -> work.get());
  }

  @Override
  public void close() {
    carillon.close();
  }
}
