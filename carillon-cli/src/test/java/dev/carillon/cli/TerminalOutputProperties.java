package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.carillon.cli.remote.ScriptedServer;
import dev.carillon.fixture.HostileGen;
import dev.carillon.fixture.Property;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What every kind of command prints of texts from elsewhere, in every format. */
class TerminalOutputProperties {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
  private static final List<String> TEXTS =
      List.of(
          "key",
          "id",
          "label",
          "type",
          "name",
          "state",
          "status",
          "target",
          "schedule",
          "owner",
          "description",
          "actor",
          "reason",
          "action",
          "by",
          "version",
          "zone",
          "host",
          "url",
          "role",
          "detail",
          "title",
          "externalId",
          "pausedBy",
          "pauseReason",
          "createdBy",
          "prefix",
          "node");

  @TempDir Path folder;
  private ScriptedServer server = new ScriptedServer();

  @AfterEach
  void stop() {
    server.close();
  }

  @Property(cases = 25)
  void lists_and_details_are_harmless_in_every_format(HostileGen gen) throws Exception {
    JsonNode thing = thing(gen);
    serve(200, MAPPER.createObjectNode().set("items", MAPPER.createArrayNode().add(thing)), thing);

    for (String command :
        List.of(
            "schedule list",
            "schedule get x",
            "schedule versions x",
            "run list",
            "run show x",
            "dead list",
            "target list",
            "target show x",
            "token list",
            "workflow list",
            "node list")) {
      for (String format : List.of("table", "json", "yaml")) {
        Answer answer = run(Words.of("carillon " + command + " -o " + format));
        harmless(command + " -o " + format, answer);
      }
    }
    assertThat(MAPPER.readTree(run("run", "show", "x", "-o", "json").out())).isEqualTo(thing);
    Object yaml =
        new Load(LoadSettings.builder().build())
            .loadFromString(run("run", "show", "x", "-o", "yaml").out());
    assertThat(MAPPER.<JsonNode>valueToTree(yaml)).isEqualTo(withoutHalfPairs(thing));
  }

  @Property(cases = 25)
  void problems_of_a_server_are_harmless(HostileGen gen) throws Exception {
    ObjectNode problem = thing(gen);
    problem.put("detail", gen.hostile());
    problem
        .putArray("errors")
        .addObject()
        .put("pointer", "/" + gen.hostile())
        .put("message", gen.hostile());
    serve(gen.oneOf(400, 404, 409, 422, 500), problem, problem);

    for (String command : List.of("schedule list", "run show x", "target show x")) {
      Answer answer = run(Words.of("carillon " + command));
      harmless(command, answer);
      assertThat(answer.err().lines().skip(1)).allMatch(line -> line.startsWith("  "));
    }
  }

  @Property(cases = 50)
  void arguments_and_files_are_harmless_in_errors(HostileGen gen) throws Exception {
    String evil = argument(gen.hostile());
    Path file = folder.resolve("a.yaml");
    Files.writeString(file, "key: \"" + "x\n  " + evil.replaceAll("[\\x00-\\x08]", "") + "\": [}");

    harmless("argument", run(evil));
    harmless("option", run("schedule", "list", "--" + evil));
    harmless("value", run("schedule", "list", "--limit", evil));
    harmless("format", run("schedule", "list", "-o", evil));
    harmless("cron", run("cron", evil));
    harmless("zone", run("cron", "@daily", "--zone", evil));
    harmless("url", run("migrate", "--database-url", evil));
    harmless("no file", run("schedule", "apply", "-f", "none-" + evil));
    harmless("file", run("schedule", "apply", "-f", file.toString()));
    harmless("help", run("help", evil));
    assertThat(run(evil).err().lines().skip(1)).allMatch(line -> line.startsWith("  "));
  }

  @Test
  void markup_of_help_means_nothing_in_errors() {
    assertThat(run("@|bold,red x|@").err())
        .startsWith("carillon: unknown command '@|bold,red x|@'");
  }

  /* YAML has none. */
  private static JsonNode withoutHalfPairs(JsonNode value) {
    if (value.isTextual()) {
      return TextNode.valueOf(whole(value.asText()));
    }
    if (value.isArray()) {
      ArrayNode items = MAPPER.createArrayNode();
      value.forEach(item -> items.add(withoutHalfPairs(item)));
      return items;
    }
    ObjectNode fields = MAPPER.createObjectNode();
    value
        .properties()
        .forEach(field -> fields.set(whole(field.getKey()), withoutHalfPairs(field.getValue())));
    return fields;
  }

  private static String whole(String text) {
    return text.codePoints()
        .map(point -> point >= 0xD800 && point <= 0xDFFF ? 0xFFFD : point)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /* What a system can hand over: no NUL, no half of a pair. */
  private static String argument(String text) {
    return text.codePoints()
        .filter(point -> point != 0 && Character.getType(point) != Character.SURROGATE)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static void harmless(String what, Answer answer) {
    int harmful = HostileGen.harmful(answer.out() + answer.err());
    assertThat(harmful)
        .as("%s printed U+%04x: %s%s", what, Math.max(harmful, 0), answer.out(), answer.err())
        .isEqualTo(-1);
  }

  private static ObjectNode thing(HostileGen gen) {
    ObjectNode thing = MAPPER.createObjectNode();
    TEXTS.forEach(name -> thing.put(name, gen.hostile()));
    thing.putArray("tags").add(gen.hostile());
    thing.putObject("payload").put(gen.hostile(), gen.hostile());
    thing
        .putObject("failure")
        .put("code", gen.hostile())
        .put("message", gen.hostile())
        .put("details", gen.hostile());
    thing
        .putObject("timing")
        .put("type", "cron")
        .put("cron", gen.hostile())
        .put("zone", gen.hostile());
    thing.putObject("settings").put("url", gen.hostile());
    return thing;
  }

  private void serve(int status, JsonNode list, JsonNode one) throws Exception {
    server.close();
    server = new ScriptedServer();
    for (String kind :
        List.of("schedules", "runs", "dead-letters", "targets", "tokens", "workflows", "nodes")) {
      server.on("GET /api/v1/" + kind + "?*", status, MAPPER.writeValueAsString(list));
      server.on("GET /api/v1/" + kind + "/x", status, MAPPER.writeValueAsString(one));
    }
    server.on("GET /api/v1/schedules/x/versions?*", status, MAPPER.writeValueAsString(list));
  }

  private Answer run(String... words) {
    return Around.in(folder)
        .with("CARILLON_SERVER", server.url())
        .with("CARILLON_TOKEN", "crl_secret")
        .run(words);
  }
}
