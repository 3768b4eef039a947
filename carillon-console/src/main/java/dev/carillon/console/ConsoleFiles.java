package dev.carillon.console;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The page of the console and the modules it loads. There is no list of modules: they are found by
 * following the imports from {@link #MAIN} on. Their addresses carry a version, made of all their
 * content, so that browsers may keep them for ever.
 */
public final class ConsoleFiles {
  /** The module with which the console begins. */
  static final String MAIN = "app/main.js";

  private final SortedMap<String, String> modules;
  private final String version;
  private final String page;
  private final String importMapHash;

  private ConsoleFiles(ModuleGraph graph) {
    this.modules = new TreeMap<>(graph.modules());
    String template = Resources.text("/dev/carillon/console/web/index.html");
    this.version = HexFormat.of().formatHex(sha256(template + modules + Resources.icon()), 0, 8);
    String base = "modules/" + version + "/";
    String importMap = importMap(base);
    this.importMapHash = "sha256-" + Base64.getEncoder().encodeToString(sha256(importMap));
    this.page =
        template
            .replace("{importMap}", importMap)
            .replace("{preload}", preload(graph, base))
            .replace("{main}", base + MAIN);
  }

  /** Read all files from the class path. */
  public static ConsoleFiles load() {
    return new ConsoleFiles(ModuleGraph.from(MAIN));
  }

  /** Return what changes with the content of any file. */
  public String version() {
    return version;
  }

  /** Return the page, the same for every view. */
  public String page() {
    return page;
  }

  /** Return the hash of the script inside the page, as a content security policy names it. */
  public String importMapHash() {
    return importMapHash;
  }

  /** Return the icon, as SVG. */
  public String icon() {
    return Resources.icon();
  }

  /** Return the text of the module at {@code path} in {@code version}; empty if there is none. */
  public Optional<String> module(String version, String path) {
    return version.equals(this.version) ? Optional.ofNullable(modules.get(path)) : Optional.empty();
  }

  /** Return all modules, by path. */
  public Map<String, String> modules() {
    return Map.copyOf(modules);
  }

  private static String importMap(String base) {
    return Libraries.FOLDERS.entrySet().stream()
        .map(entry -> "\"%s\":\"./%s%s\"".formatted(entry.getKey(), base, entry.getValue()))
        .collect(Collectors.joining(",", "{\"imports\":{", "}}"));
  }

  /* Else a browser would learn of a module only when it has read the one that imports it. */
  private static String preload(ModuleGraph graph, String base) {
    return graph.first().stream()
        .map(path -> "<link rel=\"modulepreload\" href=\"%s%s\">".formatted(base, path))
        .collect(Collectors.joining("\n"));
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
