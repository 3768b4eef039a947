package dev.carillon.console.browser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A server with something to look at, until it is stopped: {@code console-tests/serve}. */
final class SeededServer {
  private SeededServer() {}

  /** Start, and print where to sign in. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int port = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 0;
    Path folder = Files.createTempDirectory("seeded-server");
    try (var server = new RealServer(folder, port)) {
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
      Seed.plant(server);
      System.out.println("Sign in once:  " + server.url() + server.link());
      System.out.println("As an admin:    " + RealServer.ADMIN);
      System.out.println("As a viewer:    " + server.token("viewer"));
      System.out.println("As an operator: " + server.token("operator"));
      new CountDownLatch(1).await();
    }
  }
}
