package dev.carillon.console.browser;

import dev.carillon.postgres.LocalPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** The servers of a company, two on one database, and those who work for them. */
final class CompanyServer implements AutoCloseable {
  private final LocalPostgres postgres = LocalPostgres.temporary();
  private final RealServer first;
  private final RealServer second;
  private final Crew crew;

  CompanyServer(int port) throws IOException {
    first = node(port, "billing-1");
    second = node(0, "billing-2");
    first.once("/nodes", nodes -> nodes.path("items").size() == 2);
    crew = new Crew(second);
    Company.plant(first, postgres.dataSource(), crew::start);
    crew.beginLongWork(postgres.dataSource());
  }

  private RealServer node(int port, String name) throws IOException {
    return new RealServer(
        Files.createTempDirectory("company"),
        port,
        name,
        Map.of(
            "database-url", postgres.jdbcUrl(),
            "database-user", postgres.owner().user(),
            "retention", "P500D"),
        Map.of(
            "CARILLON_DATABASE_PASSWORD",
            postgres.owner().password(),
            "CARILLON_SECRET_KEY",
            "pictures:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="));
  }

  RealServer server() {
    return first;
  }

  @Override
  public void close() {
    crew.close();
    second.close();
    first.close();
    postgres.close();
  }

  /** Start one until it is stopped, and print where to sign in. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    var company = new CompanyServer(arguments.length > 0 ? Integer.parseInt(arguments[0]) : 0);
    Runtime.getRuntime().addShutdownHook(new Thread(company::close));
    RealServer server = company.server();
    System.out.println("Sign in once:  " + server.url() + server.link());
    System.out.println("As an admin:    " + RealServer.ADMIN);
    System.out.println("As a viewer:    " + server.token("viewer"));
    System.out.println("As an operator: " + server.token("operator"));
    new CountDownLatch(1).await();
  }
}
