package dev.carillon.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.carillon.json.Json;
import dev.carillon.target.Outcome;
import dev.carillon.targets.http.EndpointResponse;
import dev.carillon.targets.http.Hooks;
import dev.carillon.targets.http.HttpTargetSettings;
import dev.carillon.targets.http.ResponseRules;
import dev.carillon.targets.http.WebhookSignature;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds {@code docs/reference/targets.md} and the code together. */
class TargetsPageTest {
  private static final Pattern ROW =
      Pattern.compile("\\| ((?:`[0-9x]{3}` ?)+) \\| (succeeded|accepted|failed)[^|]*\\|([^|]*)\\|");
  private static final String BODY = "{\"payload\":{\"text\":\"Grüße\"}}";

  @TempDir private static Path folder;

  private static String page() throws IOException {
    return Files.readString(Path.of("../docs/reference/targets.md"));
  }

  private static String snippet(String language) throws IOException {
    var block = Pattern.compile("```" + language + "\\n(.*?)```", Pattern.DOTALL).matcher(page());
    assertThat(block.find()).isTrue();
    return block.group(1);
  }

  private static void assumeInstalled(String program) {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program))),
        program + " is not installed");
  }

  /** Run {@code program}, which prints one line for each message in the file it is given. */
  private static List<String> verdicts(List<String> command, String program) throws Exception {
    var messages =
        List.of(
            message(Instant.now(), BODY, Hooks.SECRET),
            message(Instant.now(), BODY, "a plain secret, long enough"),
            message(Instant.now(), BODY + " ", Hooks.SECRET),
            message(Instant.now().minusSeconds(600), BODY, Hooks.SECRET));
    Path input = Files.writeString(folder.resolve("messages.json"), Json.write(messages));
    Path file = Files.writeString(folder.resolve("program"), program);
    Process process =
        new ProcessBuilder(
                Stream.concat(command.stream(), Stream.of(file.toString(), input.toString()))
                    .toList())
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out.strip().lines().toList();
  }

  /** Describe a message whose body was {@link #BODY} when it was signed with both secrets. */
  private static Map<String, Object> message(Instant at, String body, String secret) {
    String signature =
        WebhookSignature.of(List.of("a plain secret, long enough", Hooks.SECRET))
            .sign("run-1", at, BODY.getBytes(StandardCharsets.UTF_8));
    return Map.of(
        "secret",
        secret,
        "body",
        body,
        "headers",
        Map.of(
            "webhook-id",
            "run-1",
            "webhook-timestamp",
            Long.toString(at.getEpochSecond()),
            "webhook-signature",
            signature));
  }

  @Test
  void the_python_on_the_page_verifies_what_is_signed() throws Exception {
    assumeInstalled("python3");
    String driver =
        """

        import json, sys
        for m in json.load(open(sys.argv[1], encoding="utf-8")):
            print(verify(m["secret"], m["headers"], m["body"].encode()))
        """;

    assertThat(verdicts(List.of("python3"), snippet("python") + driver))
        .containsExactly("True", "True", "False", "False");
  }

  @Test
  void the_javascript_on_the_page_verifies_what_is_signed() throws Exception {
    assumeInstalled("node");
    String driver =
        """
        for (const m of JSON.parse(require("node:fs").readFileSync(process.argv[2], "utf8"))) {
          console.log(verify(m.secret, m.headers, Buffer.from(m.body)));
        }
        """;

    assertThat(verdicts(List.of("node"), snippet("js") + driver))
        .containsExactly("true", "true", "false", "false");
  }

  @Test
  void every_status_means_what_the_page_says() throws Exception {
    var rows = new HashMap<String, String>();
    ROW.matcher(page())
        .results()
        .forEach(
            row ->
                Pattern.compile("[0-9x]{3}")
                    .matcher(row.group(1))
                    .results()
                    .forEach(
                        status -> rows.put(status.group(), row.group(2) + row.group(3).strip())));
    assertThat(rows).hasSize(10);

    for (int status = 200; status < 600; status++) {
      String said =
          rows.getOrDefault(Integer.toString(status), rows.getOrDefault(status / 100 + "xx", ""));
      assertThat(meaning(status))
          .as("%s", status)
          .satisfies(words -> assertThat(said).startsWith(words));
    }
  }

  private static String meaning(int status) {
    var response = new EndpointResponse(status, Map.of("retry-after", "5"), "", true);
    Outcome outcome = ResponseRules.outcome(response, "POST x", "", Instant.EPOCH);
    if (outcome instanceof Outcome.Failed failed) {
      return "failed"
          + (failed.retryable() ? "as its retry says" : "no")
          + (failed.retryAfter().isPresent() ? ", after `Retry-After`" : "");
    }
    return outcome instanceof Outcome.Accepted ? "accepted" : "succeeded";
  }

  @Test
  void the_settings_on_the_page_can_be_used() throws Exception {
    var settings = HttpTargetSettings.parse(Json.readObject(snippet("json").replace("…", "abc")));

    assertThat(settings.maxConcurrent()).isEqualTo(100);
    assertThat(settings.timeout()).isEqualTo(HttpTargetSettings.DEFAULT_TIMEOUT);
  }
}
