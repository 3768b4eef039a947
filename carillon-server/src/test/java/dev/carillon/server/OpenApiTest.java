package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.server.web.Role;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
class OpenApiTest {
  private final Site site;
  private final JsonNode document;

  OpenApiTest(DataSource source) {
    site = new Site(source);
    document = site.contract.document();
  }

  @AfterEach
  void close() {
    site.close();
  }

  @Test
  void the_document_has_every_route_and_no_other() {
    var documented = new ArrayList<String>();
    document
        .get("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(
                        method ->
                            documented.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));

    assertThat(documented)
        .hasSizeGreaterThan(35)
        .containsExactlyInAnyOrderElementsOf(
            site.routes.stream().map(route -> route.method() + " " + route.path()).toList());
  }

  @Test
  void only_probes_signing_in_and_the_files_of_the_console_need_no_sign_in() {
    assertThat(
            site.routes.stream()
                .filter(route -> route.role() == Role.OPEN)
                .map(route -> route.path()))
        .containsExactlyInAnyOrder(
            "/healthz",
            "/readyz",
            "/api/v1/proof",
            "/api/v1/sign-in",
            "/api/v1/session",
            "/sign-in",
            "/",
            "/console",
            "/console/",
            "/console/{view}",
            "/console/icon.svg",
            "/console/modules/{version}/{folder}/{file}",
            "/console/modules/{version}/{folder}/{inner}/{file}");
  }

  @Test
  void whatever_is_referred_to_is_there_and_used() {
    Set<String> references = new HashSet<>();
    collect(document, references);

    assertThat(references)
        .containsExactlyInAnyOrderElementsOf(names(document.at("/components/schemas")));
  }

  @Test
  void reading_needs_a_viewer_and_tokens_targets_and_cron_jobs_an_administrator() {
    for (var route : site.routes) {
      boolean administers =
          route.path().contains("/tokens")
              || route.path().startsWith("/api/v2/admin/")
              || (route.path().endsWith("/targets/{label}") && !route.method().equals("GET"));
      if (administers) {
        assertThat(route.role()).as(route.toString()).isEqualTo(Role.ADMIN);
      } else if (route.method().equals("GET") && route.role() != Role.OPEN) {
        assertThat(route.role()).as(route.toString()).isEqualTo(Role.VIEWER);
      }
    }
  }

  @Test
  void numbers_are_read_up_to_the_maximum_that_is_said_and_no_further() {
    site.put("/schedules/bells", "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}}");
    int seen = 0;
    for (var route : site.routes) {
      String path = route.path().replace("{key}", "bells").replace("{version}", "1");
      for (var parameter : route.parameters()) {
        if (route.method().equals("GET")
            && parameter.schema().get("maximum") instanceof Number most) {
          String query = path + "?" + parameter.name() + "=";
          assertThat(site.sendTo("GET", query + most, "").status()).as(query).isNotEqualTo(400);
          assertThat(site.sendTo("GET", query + (most.longValue() + 1), "").status())
              .as(query)
              .isEqualTo(400);
          seen++;
        }
      }
    }
    assertThat(seen).isGreaterThan(8);
  }

  private static List<String> names(JsonNode schemas) {
    var names = new ArrayList<String>();
    for (Iterator<String> all = schemas.fieldNames(); all.hasNext(); ) {
      names.add("#/components/schemas/" + all.next());
    }
    return names;
  }

  private static void collect(JsonNode node, Set<String> references) {
    if (node.has("$ref")) {
      references.add(node.get("$ref").asText());
    }
    node.forEach(child -> collect(child, references));
  }
}
