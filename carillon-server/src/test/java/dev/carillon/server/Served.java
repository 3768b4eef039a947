package dev.carillon.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.Carillon;
import dev.carillon.fixture.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** A whole server on a real port, and its administrator. */
final class Served implements AutoCloseable {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Server server;
  private final Path folder;

  private Served(Server server, Path folder) {
    this.server = server;
    this.folder = folder;
  }

  /** Return the URL of a new database with all tables. */
  static String freshDatabase(PostgresServer postgres) {
    return "postgresql://%s:%s@127.0.0.1:%s/%s"
        .formatted(
            postgres.user(), postgres.password(), postgres.port(), postgres.createMigrated());
  }

  /** Start a server with its data in {@code folder}. */
  static Served start(String database, Path folder, Map<String, String> flags) {
    return start(database, folder, flags, Map.of(), line -> {});
  }

  /** Start a server; {@code flags} outweigh the database, the folder and the choice of any port. */
  static Served start(
      String database,
      Path folder,
      Map<String, String> flags,
      Map<String, String> environment,
      Consumer<String> progress) {
    var all = new HashMap<String, String>();
    all.put("port", "0");
    all.put("data", folder.toString());
    all.put("database-url", database);
    all.putAll(flags);
    var server = new Server(ServerSettings.from(all, environment), progress);
    server.start();
    return new Served(server, folder);
  }

  Carillon carillon() {
    return server.carillon();
  }

  String url() {
    return server.url();
  }

  /** Return the address of the metrics without sign-in. */
  String metricsUrl() {
    return server.metricsUrl().orElseThrow();
  }

  /** Return the token that the first start on this folder made. */
  String token() throws IOException {
    return Files.readString(folder.resolve("admin-token")).strip();
  }

  /** Send a request as the administrator, and return the body of the answer. */
  JsonNode ask(String method, String path, String body) throws IOException, InterruptedException {
    return Answer.parse(send(token(), method, path, body).body());
  }

  /** Send a request as the caller with {@code token}. */
  HttpResponse<String> send(String token, String method, String path, String body)
      throws IOException, InterruptedException {
    return send(token, method, path, body, Map.of());
  }

  /** Send a request with more headers. */
  HttpResponse<String> send(
      String token, String method, String path, String body, Map<String, String> headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url() + path))
            .timeout(PATIENCE)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    headers.forEach(request::header);
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  @Override
  public void close() {
    server.close();
  }
}
