package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Await;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first five minutes of the README, word for word but for addresses. */
class FirstMinutesIT {
  private static final Pattern SHELL = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);

  @TempDir Path folder;

  @Test
  void what_the_readme_shows_works() throws Exception {
    Path data = folder.resolve("carillon-data");
    try (var endpoint = new Endpoint();
        var server =
            Program.start(
                Map.of("CARILLON_ALLOWED_HOSTS", "127.0.0.1"),
                "serve",
                "--port",
                "0",
                "--data",
                data.toString())) {
      endpoint.answer();
      String url = server.url();
      launcher();

      String out = shell(lines(url, endpoint.url()));

      assertThat(out)
          .contains("hello  active  version 1", "\"key\":\"nightly\"", "\"type\":\"http\"")
          .contains("\"trigger\":\"manual\"")
          .doesNotContain("problem");
      Rest rest = new Rest(url, Files.readString(data.resolve("admin-token")).strip());
      Await.until("the webhook", () -> rest.count("report", "succeeded") == 1);
      assertThat(endpoint.calls())
          .singleElement()
          .satisfies(headers -> assertThat(headers).containsKey("Webhook-signature"));
      assertThat(rest.get("/runs?schedule=hello&state=succeeded").path("items")).isNotEmpty();
    }
  }

  private static String lines(String url, String hook) throws Exception {
    List<String> blocks =
        SHELL
            .matcher(Files.readString(Path.of("../README.md")))
            .results()
            .map(block -> block.group(1))
            .toList();
    assertThat(blocks).hasSize(3);
    return blocks.stream()
        .collect(Collectors.joining())
        .replace("http://127.0.0.1:8080", url)
        .replace("https://example.com/hooks/report", hook);
  }

  /* The launcher of the sources would build them again. */
  private void launcher() throws Exception {
    Path launcher =
        Files.writeString(
            folder.resolve("carillon"),
            "#!/bin/sh\nexec '%s' -XX:TieredStopAtLevel=1 -jar '%s' \"$@\"\n"
                .formatted(
                    Path.of(System.getProperty("java.home"), "bin", "java"),
                    System.getProperty("carillon.jar")));
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
  }

  private String shell(String lines) throws Exception {
    Path script = Files.writeString(folder.resolve("lines.sh"), "set -eu\n" + lines);
    var builder = new ProcessBuilder("sh", script.toString()).directory(folder.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("CARILLON_"));
    Process process = builder.redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out;
  }
}
