package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What the runnable jar says about the libraries in it, and that they are the ones meant. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BundledLibrariesIT {
  private static final Path LICENCES = Path.of("../docs/licences.md");
  private static final Path CHECKSUMS = Path.of("../.mvn/checksums/checksums.sha256");
  private static final String OURS = "dev.carillon";
  private static final String POSTGRES = "io.zonky.test.postgres"; // another one on each platform

  /* Of those with a choice, one is enough. */
  private static final Set<String> ALLOWED =
      Set.of(
          "Apache-2.0",
          "BSD-2-Clause",
          "BSD-3-Clause",
          "MIT",
          "0BSD",
          "EPL-1.0",
          "EPL-2.0",
          "PostgreSQL");

  private static final String BEGINNING =
      """
      # Licences

      The libraries in `carillon.jar` and their licences; of several, one may choose. Written from the list in the jar:
      `mvn -pl carillon-cli -am verify -Dtest=none -Dit.test=BundledLibrariesIT -Dwrite.licences
      -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false`. The binaries of the embedded PostgreSQL are
      under the PostgreSQL licence; beside them are OpenSSL (OpenSSL and SSLeay), ICU (Unicode), zlib (Zlib), liblzma (public
      domain), OSSP uuid, libxml2 and libxslt (MIT).

      | library | version | licence |
      |---|---|---|
      """;

  private final ZipFile jar;
  private final JsonNode list;

  BundledLibrariesIT() throws IOException {
    jar = new ZipFile(Objects.requireNonNull(System.getProperty("carillon.jar")));
    list = Json.read(text("META-INF/sbom/carillon.cdx.json"));
  }

  @AfterAll
  void close() throws IOException {
    jar.close();
  }

  @Test
  void the_jar_lists_its_libraries() {
    assertThat(list.path("bomFormat").asText()).isEqualTo("CycloneDX");
    assertThat(libraries().stream().map(one -> one.path("name").asText()))
        .contains("jetty-server", "postgresql", "logback-classic", "picocli", "slf4j-api")
        .doesNotContain("archunit", "assertj-core", "junit-jupiter-api");
  }

  @Test
  void scanners_find_the_libraries_that_say_who_they_are() {
    var found = new TreeSet<String>();
    jar.stream()
        .map(entry -> entry.getName())
        .filter(name -> name.matches("META-INF/maven/[^/]+/[^/]+/pom\\.properties"))
        .forEach(name -> found.add(String.valueOf(Path.of(name).getName(3))));
    assertThat(found).contains("jetty-server", "jackson-databind", "HikariCP", "logback-classic");
  }

  @Test
  void the_texts_of_the_licences_come_along() throws IOException {
    assertThat(text("META-INF/LICENSE"))
        .contains("Apache License\n", "Copyright (c) 1997, PostgreSQL Global Development Group");
    assertThat(text("META-INF/LICENSE.txt")).contains("QOS.ch");
    assertThat(text("META-INF/NOTICE")).contains("Tatu Saloranta");
  }

  @Test
  void every_licence_is_allowed_and_on_the_page() throws IOException {
    var page = new StringBuilder(BEGINNING);
    var rows = new TreeMap<String, String>();
    for (JsonNode library : libraries()) {
      List<String> licences = licences(library);
      String name = library.path("group").asText() + ":" + library.path("name").asText();
      assertThat(licences).as(name).containsAnyElementsOf(ALLOWED);
      rows.put(
          name,
          "| %s | %s | %s |\n"
              .formatted(name, library.path("version").asText(), String.join(", ", licences)));
    }
    rows.values().forEach(page::append);
    if (System.getProperty("write.licences") != null) {
      Files.writeString(LICENCES, page);
    }
    assertThat(LICENCES).hasContent(page.toString());
  }

  @Test
  void the_libraries_are_those_with_a_checksum_in_the_project() throws IOException {
    List<String> checksums = Files.readAllLines(CHECKSUMS);
    for (JsonNode library : libraries()) {
      String hash = "";
      for (JsonNode one : library.path("hashes")) {
        hash = one.path("alg").asText().equals("SHA-256") ? one.path("content").asText() : hash;
      }
      String path =
          "%s/%s/%s/"
              .formatted(
                  library.path("group").asText().replace('.', '/'),
                  library.path("name").asText(),
                  library.path("version").asText());
      String sum = hash;
      assertThat(checksums)
          .as(path + " " + sum)
          .anyMatch(line -> line.startsWith(sum + " ") && line.contains(path));
    }
  }

  private List<JsonNode> libraries() {
    var libraries = new ArrayList<JsonNode>();
    for (JsonNode component : list.path("components")) {
      if (!Set.of(OURS, POSTGRES).contains(component.path("group").asText())) {
        libraries.add(component);
      }
    }
    assertThat(libraries).hasSizeGreaterThan(20);
    return libraries;
  }

  private static List<String> licences(JsonNode library) {
    var licences = new ArrayList<String>();
    for (JsonNode one : library.path("licenses")) {
      String id = one.at("/license/id").asText();
      String name = one.at("/license/name").asText();
      String expression = one.path("expression").asText();
      licences.add(!id.isEmpty() ? id : !name.isEmpty() ? name : expression);
    }
    return licences;
  }

  private String text(String entry) throws IOException {
    try (var in = jar.getInputStream(jar.getEntry(entry))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
