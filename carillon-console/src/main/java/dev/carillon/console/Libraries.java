package dev.carillon.console;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The libraries of the console, which come as webjars. */
final class Libraries {
  /** What stands in imports, and where it is served; a name with a slash stands for a folder. */
  static final Map<String, String> FOLDERS = folders();

  private static final Map<String, String> WEBJARS =
      Map.of(
          "lit", "lit",
          "lit-element", "lit-element",
          "lit-html", "lit-html",
          "reactive-element", "lit__reactive-element");

  private Libraries() {}

  private static Map<String, String> folders() {
    var folders = new LinkedHashMap<String, String>();
    folders.put("lit", "lit/index.js");
    folders.put("lit/directives/", "lit-html/directives/");
    folders.put("lit-html", "lit-html/lit-html.js");
    folders.put("lit-html/", "lit-html/");
    folders.put("lit-element/", "lit-element/");
    folders.put("@lit/reactive-element", "reactive-element/reactive-element.js");
    return Collections.unmodifiableMap(folders);
  }

  /** Return where the module is served that an import calls {@code name}; empty if it is none. */
  static Optional<String> path(String name) {
    String exact = FOLDERS.get(name);
    return exact != null
        ? Optional.of(exact)
        : FOLDERS.entrySet().stream()
            .filter(entry -> entry.getKey().endsWith("/") && name.startsWith(entry.getKey()))
            .map(entry -> entry.getValue() + name.substring(entry.getKey().length()))
            .findFirst();
  }

  /** Return the resource that is served at {@code path}, if a library has it. */
  static Optional<String> resource(String path) {
    String folder = path.substring(0, path.indexOf('/'));
    return Optional.ofNullable(WEBJARS.get(folder))
        .map(
            webjar ->
                "/META-INF/resources/webjars/%s/%s%s"
                    .formatted(webjar, Resources.version(webjar), path.substring(folder.length())));
  }
}
