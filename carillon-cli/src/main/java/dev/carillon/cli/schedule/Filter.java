package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Given;
import dev.carillon.cli.remote.Session;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which schedules are meant, when it is not one by its key. */
final class Filter {
  @Option(
      names = "--status",
      paramLabel = "STATUS",
      order = 80,
      description = "Only those that are active, paused or retired.")
  private @Nullable String status;

  @Option(
      names = "--target",
      paramLabel = "LABEL",
      order = 81,
      description = "Only those with this target.")
  private @Nullable String target;

  @Option(
      names = "--tag",
      paramLabel = "TAG",
      order = 82,
      description = "Only those with this tag.")
  private @Nullable String tag;

  @Option(
      names = {"-q", "--query"},
      paramLabel = "TEXT",
      order = 83,
      description = "Only those with this text in their key or description.")
  private @Nullable String text;

  @Option(
      names = "--payload",
      paramLabel = "JSON",
      order = 84,
      description =
          "Only those whose payload contains this, such as '{\"instanceId\":\"x\"}'; @FILE and -"
              + " (stdin) work too.")
  private @Nullable String payload;

  boolean isEmpty() {
    return status == null && target == null && tag == null && text == null && payload == null;
  }

  Call on(Call call, Session session) {
    Call filtered =
        call.with("status", status).with("target", target).with("tag", tag).with("q", text);
    return payload(session)
        .map(Json::write)
        .map(json -> filtered.with("payload", json))
        .orElse(filtered);
  }

  ObjectNode json(Session session) {
    ObjectNode filter = Json.object();
    put(filter, "status", status);
    put(filter, "target", target);
    put(filter, "tag", tag);
    put(filter, "q", text);
    payload(session).ifPresent(json -> filter.set("payload", json));
    return filter;
  }

  private Optional<JsonNode> payload(Session session) {
    return new Given(session.surroundings()).json("--payload", payload);
  }

  private static void put(ObjectNode filter, String name, @Nullable String value) {
    if (value != null) {
      filter.put(name, value);
    }
  }
}
