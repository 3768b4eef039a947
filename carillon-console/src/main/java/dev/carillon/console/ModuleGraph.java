package dev.carillon.console;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * All modules that one of them leads to.
 *
 * @param modules their texts by path
 * @param first those that are needed at once; the others are imported when a view is opened
 */
record ModuleGraph(Map<String, String> modules, Set<String> first) {
  private static final Pattern IMPORT =
      Pattern.compile("\\b(?:from|import)\\s*[\"']([^\"']+\\.js|[@a-z][a-z/-]*)[\"']");
  private static final Pattern LATER = Pattern.compile("\\bimport\\(\\s*[\"']([^\"']+)[\"']");
  /* Whole lines, as all of them are; nothing else in a module begins like that. */
  private static final Pattern COMMENT =
      Pattern.compile(
          "^[ \\t]*(?://.*|/\\*[^*]*+(?:\\*(?!/)[^*]*+)*+\\*/[ \\t]*)\\R", Pattern.MULTILINE);
  /* Templates are HTML and CSS, where it means nothing; no text of ours has lines that begin with it. */
  private static final Pattern INDENT = Pattern.compile("^[ \\t]+", Pattern.MULTILINE);
  private static final String SOURCE_MAP = "\n//# sourceMappingURL=";

  static ModuleGraph from(String path) {
    var graph = new ModuleGraph(new LinkedHashMap<>(), new LinkedHashSet<>());
    graph.add(path);
    graph.first.addAll(graph.modules.keySet());
    for (String module : Set.copyOf(graph.first)) {
      graph.addLater(module);
    }
    return graph;
  }

  private void add(String path) {
    if (modules.containsKey(path)) {
      return;
    }
    String text = read(path);
    modules.put(path, text);
    for (String name : names(IMPORT, text)) {
      resolved(path, name).ifPresent(this::add);
    }
  }

  private void addLater(String module) {
    for (String name : names(LATER, modules.getOrDefault(module, ""))) {
      resolved(module, name).ifPresent(this::add);
    }
  }

  private static Set<String> names(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult match) -> match.group(1))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static Optional<String> resolved(String from, String name) {
    return name.startsWith(".")
        ? Optional.of(URI.create(from).resolve(name).toString())
        : Libraries.path(name);
  }

  /* The maps to the sources of the libraries are not served, nor are comments and indentation of our own. */
  private static String read(String path) {
    Optional<String> library = Libraries.resource(path);
    if (library.isEmpty()) {
      String text = Resources.text("/dev/carillon/console/web/" + path);
      return INDENT.matcher(COMMENT.matcher(text).replaceAll("")).replaceAll("");
    }
    String text = Resources.text(library.get());
    int map = text.lastIndexOf(SOURCE_MAP);
    return map < 0 ? text : text.substring(0, map + 1);
  }
}
