package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.console.ConsoleFiles;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The files of the console, as a browser asks for them. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(120)
class ConsoleServingTest {
  private final HttpClient client = HttpClient.newHttpClient();
  private final Served server;

  ConsoleServingTest(PostgresServer postgres, @TempDir Path folder) {
    server = Served.start(Served.freshDatabase(postgres), folder, Map.of());
  }

  @AfterEach
  void close() {
    server.close();
  }

  private HttpResponse<String> get(String path, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.url() + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private static String header(HttpResponse<?> reply, String name) {
    return reply.headers().firstValue(name).orElse("");
  }

  private List<String> modules() throws Exception {
    return Pattern.compile("modulepreload\" href=\"([^\"]+)\"")
        .matcher(get("/console/").body())
        .results()
        .map(match -> "/console/" + match.group(1))
        .toList();
  }

  @Test
  void the_root_leads_to_the_console_by_a_relative_address() throws Exception {
    assertThat(header(get("/"), "Location")).isEqualTo("console/");
    assertThat(header(get("/console"), "Location")).isEqualTo("console/");
  }

  @Test
  void the_page_allows_its_own_modules_and_nothing_unsafe() throws Exception {
    HttpResponse<String> page = get("/console/runs");

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(header(page, "Content-Type")).isEqualTo("text/html; charset=utf-8");
    assertThat(header(page, "Content-Security-Policy"))
        .contains("default-src 'none'", "script-src 'self' 'sha256-", "frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(header(page, "X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(header(page, "Referrer-Policy")).isEqualTo("no-referrer");
    assertThat(page.body())
        .doesNotContain("http://", "https://", "{main}", "{preload}", "{importMap}");
  }

  @Test
  void a_page_that_did_not_change_is_not_sent_again() throws Exception {
    HttpResponse<String> first = get("/console/");
    HttpResponse<String> again = get("/console/", "If-None-Match", header(first, "ETag"));

    assertThat(header(first, "Cache-Control")).isEqualTo("no-cache");
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
  }

  @Test
  void modules_are_kept_for_ever_without_comments_or_maps() throws Exception {
    assertThat(modules())
        .hasSizeGreaterThan(20)
        .anyMatch(path -> path.endsWith("lit-html/lit-html.js"));
    for (String path : modules()) {
      HttpResponse<String> module = get(path);

      assertThat(module.statusCode()).as(path).isEqualTo(200);
      assertThat(header(module, "Content-Type")).isEqualTo("text/javascript; charset=utf-8");
      assertThat(header(module, "Cache-Control")).contains("immutable");
      assertThat(module.body()).doesNotContain("sourceMappingURL");
      boolean library = path.contains("/lit") || path.contains("/reactive-element");
      assertThat(library ? "" : module.body()).doesNotContainPattern("(?m)^(?:[ \\t]|//|/\\*)");
    }
  }

  @Test
  void the_whole_console_takes_less_than_150_KiB() throws Exception {
    ConsoleFiles files = ConsoleFiles.load();
    int bytes = size("/console/") + size("/console/icon.svg");
    for (String module : files.modules().keySet()) {
      bytes += size("/console/modules/" + files.version() + "/" + module);
    }

    assertThat(bytes).isBetween(50 * 1024, 150 * 1024);
  }

  private int size(String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url() + path))
            .header("Accept-Encoding", "gzip")
            .build();
    HttpResponse<byte[]> reply = client.send(request, BodyHandlers.ofByteArray());
    assertThat(reply.statusCode()).as(path).isEqualTo(200);
    return reply.body().length;
  }

  @Test
  void what_is_no_module_is_not_found_whatever_is_tried() throws Exception {
    String main = modules().get(0);
    for (String path :
        List.of(
            "/console/modules/0000000000000000/app/main.js",
            main + "x",
            main.replace("main.js", "..%2F..%2Findex.html"),
            main.replace("main.js", "%2e%2e%2findex.html"),
            main.replace("app/main.js", "META-INF/MANIFEST.MF"))) {
      assertThat(get(path).statusCode()).as(path).isIn(400, 404);
    }
  }
}
