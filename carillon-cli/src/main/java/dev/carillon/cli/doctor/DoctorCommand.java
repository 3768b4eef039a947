package dev.carillon.cli.doctor;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.carillon.cli.console.Environment;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code carillon doctor}. */
@Command(
    name = "doctor",
    description = {
      "Check whether everything is as it should be, and say what to do where it is not.",
      "",
      "Looks at the server and the token, at the database and its schema (when told its URL, or",
      "beside the data folder of a server), at the clocks of this machine, server and database,",
      "at the time zone rules here and there, and at who can read the secrets."
    },
    footer = {
      "",
      "Examples:",
      "  carillon doctor",
      "  carillon doctor --server https://carillon.example",
      "  carillon doctor --database-url postgresql://carillon@db.example/carillon",
      "",
      "Exit codes: 0 nothing is wrong (there may be warnings), 1 something is."
    })
public final class DoctorCommand implements Callable<Integer> {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Option(
      names = "--database-url",
      paramLabel = "URL",
      description = "Check this database, as for serve; also CARILLON_DATABASE_URL.")
  private @Nullable String databaseUrl;

  @Override
  public Integer call() {
    Environment environment = session.environment();
    Path data = session.serverDiscovery().data();
    List<Finding> findings =
        new ArrayList<>(new ServerChecks(session.client(), environment.clock()).run());
    findings.addAll(
        new DatabaseChecks(environment.clock()).run(flags(), accounts(environment), data));
    findings.addAll(FileChecks.run(data));
    ArrayNode json = Json.object().arrayNode();
    findings.forEach(finding -> json.add(finding.json()));
    session.print(json, output -> findings.forEach(finding -> finding.print(output)));
    return findings.stream().anyMatch(Finding::isFailure) ? Exit.FAILED : 0;
  }

  private Map<String, String> flags() {
    return databaseUrl == null ? Map.of() : Map.of("database-url", databaseUrl);
  }

  private static Map<String, String> accounts(Environment environment) {
    return environment.environment().entrySet().stream()
        .filter(variable -> variable.getKey().startsWith("CARILLON_DATABASE_"))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }
}
