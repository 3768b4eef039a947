package dev.carillon.cli.remote;

import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.Environment;
import dev.carillon.cli.console.Exit;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the server and the token: from options, from variables, or from the data folder of a server
 * on this machine.
 *
 * <p>The token in a data folder opens the server on this machine, and is sent to no other machine,
 * nor to a process that is not the server recorded there.
 */
public final class ServerDiscovery {
  private static final String DEFAULT_SERVER = "http://127.0.0.1:8080";
  private static final String SERVER_FILE = "server.json";
  private static final String TOKEN_FILE = "admin-token";

  private final Map<String, String> environment;
  private final Path data;

  /** Look in the data folder {@code named}, or in the usual one. */
  public ServerDiscovery(Environment environment, Optional<String> named) {
    this.environment = environment.environment();
    this.data =
        environment
            .folder()
            .resolve(named.or(() -> variable("CARILLON_DATA")).orElse("carillon-data"));
  }

  /**
   * Find the endpoint, given what was said with options.
   *
   * @param certified whether a certificate says who asks, so that no token is looked for
   */
  public Endpoint find(Optional<String> server, Optional<String> token, boolean certified) {
    Optional<URI> named = named(server);
    URI address = named.orElseGet(this::writtenByServer);
    Optional<String> given = token.map(String::strip);
    if (given.isPresent()) {
      return new Endpoint(address, given, "--token");
    }
    Optional<String> inVariable = variable("CARILLON_TOKEN").map(String::strip);
    if (inVariable.isPresent()) {
      return new Endpoint(address, inVariable, "CARILLON_TOKEN");
    }
    if (certified) {
      return new Endpoint(address, Optional.empty(), Endpoint.CERTIFICATE);
    }
    // What the server itself wrote down may be the name of this machine, which is looked up.
    boolean here =
        Endpoint.isLocal(address) || (named.isEmpty() && Endpoint.isThisMachine(address.getHost()));
    Optional<String> kept = here ? read(tokenFile()).map(String::strip) : Optional.empty();
    return new Endpoint(
        address,
        kept,
        tokenFile().toString(),
        kept.map(ofFolder -> new RecordedServer(serverFile(), named.isPresent())));
  }

  /** Return the data folder of the server on this machine, if there is one. */
  public Path data() {
    return data;
  }

  /** Return the file in which a server on this machine keeps the token of its administrator. */
  public Path tokenFile() {
    return data.resolve(TOKEN_FILE);
  }

  private Optional<URI> named(Optional<String> option) {
    if (option.isPresent()) {
      return Optional.of(Endpoint.address(option.get(), "--server"));
    }
    return variable("CARILLON_SERVER").map(text -> Endpoint.address(text, "CARILLON_SERVER"));
  }

  private URI writtenByServer() {
    var recorded = new RecordedServer(serverFile(), false);
    return Endpoint.address(recorded.url().orElse(DEFAULT_SERVER), "the url in " + recorded.file());
  }

  private Path serverFile() {
    return data.resolve(SERVER_FILE);
  }

  private static Optional<String> read(Path file) {
    try {
      return Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty();
    } catch (IOException e) {
      throw new CommandFailure(
          Exit.REFUSED,
          "%s cannot be read; ask as the user that runs the server, or give a token as CARILLON_TOKEN"
              .formatted(file));
    }
  }

  private Optional<String> variable(String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
  }
}
