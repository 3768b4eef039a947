package dev.carillon.server.api;

import dev.carillon.Version;
import dev.carillon.json.Json;
import dev.carillon.server.web.IdempotentReplies;
import dev.carillon.server.web.Problem;
import dev.carillon.server.web.QueryParameter;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The OpenAPI document: paths and parameters from the route table, forms from the files of schemas
 * and from the fields of a definition.
 */
final class OpenApi {
  private static final List<String> SCHEMAS =
      List.of("schemas.json", "calendar-schemas.json", "source-schemas.json");
  private static final String HEAD =
      """
      {"openapi": "3.1.0",
       "info": {"title": "Carillon", "version": "%s",
                "description": "A durable scheduler: every slot fires exactly once.",
                "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"}},
       "servers": [{"url": "/"}],
       "security": [{"token": []}]}
      """;
  private static final String SCHEMES =
      """
      {"token": {"type": "http", "scheme": "bearer", "description": "An API token (crl_…) or a JWT."}}
      """;
  private static final String JSON = "application/json";
  private static final String MERGE_PATCH = "application/merge-patch+json";

  private OpenApi() {}

  /** Return the route that describes {@code others}, and itself. */
  static List<Route> routes(List<Route> others) {
    var document = new LinkedHashMap<String, @Nullable Object>();
    Route self =
        Route.get("/openapi.json", Role.VIEWER, "getOpenApi")
            .reach(Reach.ALL)
            .summary("Describe all routes, as OpenAPI 3.1")
            .answers(200, "OpenApi", request -> Reply.ok(document));
    var all = new ArrayList<>(others);
    all.add(self);
    document.putAll(document(all));
    return List.of(self);
  }

  private static Map<String, @Nullable Object> document(List<Route> routes) {
    Map<String, @Nullable Object> document = Json.readObject(HEAD.formatted(Version.current()));
    document.put("paths", paths(routes));
    document.put(
        "components", Map.of("schemas", schemas(), "securitySchemes", Json.readObject(SCHEMES)));
    return document;
  }

  private static Map<String, Map<String, Object>> paths(List<Route> routes) {
    var paths = new TreeMap<String, Map<String, Object>>();
    for (Route route : routes) {
      paths
          .computeIfAbsent(route.path(), path -> new LinkedHashMap<>())
          .put(route.method().toLowerCase(Locale.ROOT), operation(route));
    }
    return paths;
  }

  private static Map<String, Object> operation(Route route) {
    var operation = new LinkedHashMap<String, Object>();
    operation.put("operationId", route.operation());
    operation.put("summary", route.summary());
    operation.put("x-role", route.role().word());
    if (route.role() == Role.OPEN) {
      operation.put("security", List.of());
    }
    operation.put("parameters", parameters(route));
    route
        .takes()
        .ifPresent(
            schema ->
                operation.put(
                    "requestBody",
                    Map.of(
                        "required",
                        route.needsBody(),
                        "content",
                        content(route, reference(schema)))));
    operation.put("responses", responses(route));
    return operation;
  }

  private static Map<String, Object> content(Route route, Map<String, Object> schema) {
    var content = new LinkedHashMap<String, Object>();
    if (route.method().equals("PATCH")) {
      content.put(MERGE_PATCH, Map.of("schema", schema));
    }
    content.put(JSON, Map.of("schema", schema));
    route
        .alsoTakes()
        .ifPresent(type -> content.put(type, Map.of("schema", Map.of("type", "string"))));
    return content;
  }

  private static List<Map<String, Object>> parameters(Route route) {
    var parameters = new ArrayList<Map<String, Object>>();
    for (String name : route.parts()) {
      parameters.add(
          Map.of("name", name, "in", "path", "required", true, "schema", Map.of("type", "string")));
    }
    route.parameters().stream().map(QueryParameter::written).forEach(parameters::add);
    if (route.method().equals("POST") && !route.repeatable()) {
      parameters.add(
          header(
              IdempotentReplies.HEADER, "Makes a repeated request have the effect of one.", 255));
    }
    if (List.of("PUT", "PATCH", "DELETE").contains(route.method()) && !route.parts().isEmpty()) {
      parameters.add(header("If-Match", "Do it only if the ETag is still this.", 30));
    }
    return parameters;
  }

  private static Map<String, Object> header(String name, String says, int longest) {
    return Map.of(
        "name",
        name,
        "in",
        "header",
        "description",
        says,
        "schema",
        Map.of("type", "string", "maxLength", longest));
  }

  private static Map<String, Object> responses(Route route) {
    var responses = new TreeMap<String, Object>();
    route
        .answers()
        .forEach(
            (status, schema) ->
                responses.put(String.valueOf(status), response("Done", route.mediaType(), schema)));
    responses.put(
        "default", response("A problem, as RFC 9457 has it", Problem.MEDIA_TYPE, "Problem"));
    return responses;
  }

  private static Map<String, Object> response(String says, String mediaType, String schema) {
    var response = new LinkedHashMap<String, Object>();
    response.put("description", says);
    if (!schema.isEmpty()) {
      response.put("content", Map.of(mediaType, Map.of("schema", reference(schema))));
    }
    return response;
  }

  private static Map<String, Object> reference(String schema) {
    return Map.of("$ref", "#/components/schemas/" + schema);
  }

  private static Map<String, @Nullable Object> schemas() {
    var schemas = new TreeMap<String, @Nullable Object>();
    SCHEMAS.forEach(name -> schemas.putAll(schemas(name)));
    DefinitionSchemas.complete(schemas);
    return schemas;
  }

  private static Map<String, @Nullable Object> schemas(String name) {
    return Json.readObject(resource(name));
  }

  /** Return the text of a file in the jar. */
  static String resource(String name) {
    try (InputStream file = OpenApi.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalStateException(name + " is not in the jar");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
