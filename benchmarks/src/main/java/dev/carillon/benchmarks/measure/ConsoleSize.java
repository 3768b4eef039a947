package dev.carillon.benchmarks.measure;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** Counts the bytes of the console's files as they are sent to a browser that takes gzip. */
public final class ConsoleSize {
  private static final Pattern PRELOADED =
      Pattern.compile("rel=\"modulepreload\" href=\"([^\"]+)\"");
  private static final Pattern MAPPED = Pattern.compile("\"([^\"]+)\":\"(\\./[^\"]+)\"");
  private static final Pattern IMPORTED =
      Pattern.compile("\\b(?:from|import)\\s*\\(?\\s*[\"']([^\"']+)[\"']");

  private final HttpClient client = HttpClient.newHttpClient();
  private final Map<String, String> libraries = new HashMap<>();
  private final URI page;

  private ConsoleSize(URI page) {
    this.page = page;
  }

  /**
   * Bytes of the console.
   *
   * @param files how many files it has
   * @param bytes of all of them
   * @param firstBytes of those that the first visit loads before a view
   */
  public record Outcome(int files, long bytes, long firstBytes) {}

  private record File(String text, int bytes) {}

  static Outcome measure(ServerProcess server) throws IOException, InterruptedException {
    return new ConsoleSize(URI.create(server.address() + "/console/")).measure();
  }

  private Outcome measure() throws IOException, InterruptedException {
    File html = load(page);
    Matcher mapped = MAPPED.matcher(html.text);
    while (mapped.find()) {
      libraries.put(mapped.group(1), mapped.group(2));
    }
    Queue<URI> next = new ArrayDeque<>();
    Matcher preloaded = PRELOADED.matcher(html.text);
    while (preloaded.find()) {
      next.add(page.resolve(preloaded.group(1)));
    }
    var first = new HashSet<>(next);
    Set<URI> seen = new HashSet<>(next);
    long bytes = html.bytes;
    long firstBytes = html.bytes;
    while (!next.isEmpty()) {
      URI module = next.remove();
      File file = load(module);
      bytes += file.bytes;
      firstBytes += first.contains(module) ? file.bytes : 0;
      Matcher imported = IMPORTED.matcher(file.text);
      while (imported.find()) {
        resolved(module, imported.group(1)).filter(seen::add).ifPresent(next::add);
      }
    }
    return new Outcome(seen.size() + 1, bytes, firstBytes);
  }

  private Optional<URI> resolved(URI from, String name) {
    if (name.startsWith(".")) {
      return Optional.of(from.resolve(name));
    }
    return libraries.entrySet().stream()
        .filter(
            entry ->
                name.equals(entry.getKey())
                    || (entry.getKey().endsWith("/") && name.startsWith(entry.getKey())))
        .map(entry -> page.resolve(entry.getValue() + name.substring(entry.getKey().length())))
        .findFirst();
  }

  private File load(URI address) throws IOException, InterruptedException {
    HttpResponse<byte[]> answer =
        client.send(
            HttpRequest.newBuilder(address).header("Accept-Encoding", "gzip").build(),
            BodyHandlers.ofByteArray());
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(address + " is answered with " + answer.statusCode());
    }
    byte[] sent = answer.body();
    boolean packed = answer.headers().firstValue("Content-Encoding").isPresent();
    byte[] text =
        packed ? new GZIPInputStream(new ByteArrayInputStream(sent)).readAllBytes() : sent;
    return new File(new String(text, StandardCharsets.UTF_8), sent.length);
  }
}
