package dev.carillon.cli.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.console.Json;
import dev.carillon.server.signin.ServerProof;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The server on this machine of which {@code server.json} in its data folder tells. After a crash
 * the file is still there, and any process may listen at the address in it.
 *
 * @param named whether the user says where it is, which may be another address of the same server
 */
public record RecordedServer(Path file, boolean named) {
  private record Entry(String url, Optional<String> secret, long pid) {}

  /** Return where it says it is, if it runs. */
  Optional<String> url() {
    return entry().map(Entry::url);
  }

  /**
   * Return what the server at {@code address} can prove. The file is read anew each time: a server
   * that was started again has another secret.
   *
   * @throws CommandFailure if no server says that it is there
   */
  ServerProof proofAt(URI address) {
    Entry entry =
        entry()
            .orElseThrow(
                () ->
                    unsent(
                        "no server is recorded in %s; start one with 'carillon serve', or %s"
                            .formatted(file, otherwise())));
    if (!named && !Endpoint.address(entry.url, "the url in " + file).equals(address)) {
      throw unsent(
          "the server recorded in %s is at %s by now; ask again".formatted(file, entry.url));
    }
    String secret =
        entry.secret.orElseThrow(
            () ->
                unsent(
                    "%s is of an earlier version, which cannot prove that it is the server; start the server again with this version, or give a token as CARILLON_TOKEN"
                        .formatted(file)));
    return new ServerProof(secret, entry.url);
  }

  /** Return what to say of a connection to {@code address} that could not be had. */
  Optional<CommandFailure> notRunning() {
    return entry()
        .filter(entry -> !named && !isAlive(entry.pid))
        .map(
            entry ->
                unsent(
                    "the server recorded in %s is not running (pid %s); start it with 'carillon serve', or %s"
                        .formatted(file, entry.pid, otherwise())));
  }

  /** Return what to say of an answer from {@code address} that proves nothing. */
  CommandFailure another(URI address) {
    String fate =
        entry()
            .filter(entry -> !isAlive(entry.pid))
            .map(entry -> ", which is not running (pid %s)".formatted(entry.pid))
            .orElse("");
    return unsent(
        "what answers at %s is not the server recorded in %s%s; the token was not sent; start the server with 'carillon serve', or %s"
            .formatted(address, file, fate, otherwise()));
  }

  private String otherwise() {
    return named
        ? "give the token of the server that you mean as CARILLON_TOKEN"
        : "say where another is with --server or CARILLON_SERVER";
  }

  private static CommandFailure unsent(String message) {
    return new CommandFailure(Exit.UNREACHABLE, message);
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  private Optional<Entry> entry() {
    try {
      JsonNode json = Json.read(Files.readString(file));
      return Optional.of(
              new Entry(
                  Json.text(json, "/url"),
                  Optional.of(Json.text(json, "/secret")).filter(text -> !text.isEmpty()),
                  json.path("pid").asLong()))
          .filter(entry -> !entry.url.isEmpty());
    } catch (JsonProcessingException e) {
      return Optional.empty();
    } catch (IOException e) {
      if (!Files.exists(file)) {
        return Optional.empty();
      }
      throw new CommandFailure(
          Exit.REFUSED,
          "%s cannot be read; ask as the user that runs the server, or give a token as CARILLON_TOKEN"
              .formatted(file));
    }
  }
}
