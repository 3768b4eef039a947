package dev.carillon.server.web;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The route table: which function answers what. */
public final class Routes {
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE");

  private final List<Route> all;
  private final Set<String> reserved = new HashSet<>();
  private final Node root = new Node();

  /** Make a table; two routes may neither share method and path nor a name. */
  public Routes(List<Route> routes) {
    all = List.copyOf(routes);
    var operations = new HashSet<String>();
    for (Route route : all) {
      if (!operations.add(route.operation())) {
        throw new IllegalStateException("two routes are called " + route.operation());
      }
      add(route);
      if (route.reserved()) {
        reserved.add(route.path());
      }
    }
  }

  /** Say whether threads are kept to answer what is asked at the raw {@code path}. */
  boolean isReserved(String path) {
    return reserved.contains(path);
  }

  /** Say whether {@code method} is one that a path could take. */
  static boolean isMethod(String method) {
    return METHODS.contains(method);
  }

  /** Return every route. */
  public List<Route> all() {
    return all;
  }

  /**
   * A route and the decoded variable parts of the path it was found by.
   *
   * @param route the route
   * @param parts its parts by name
   */
  record Found(Route route, Map<String, String> parts) {}

  /**
   * Find the route for {@code method} and the raw {@code path}.
   *
   * @throws ProblemException if there is none
   */
  Found find(String method, String path) {
    if (!isMethod(method)) {
      // Otherwise the connection stays open after a CONNECT, as if it were a tunnel now.
      throw Problem.of(ProblemKind.METHOD_UNKNOWN, "There is no such method.")
          .header("Connection", "close")
          .problemException();
    }
    List<String> segments = segments(path);
    var ends = new ArrayList<Node>();
    collect(root, segments, 0, ends);
    if (ends.isEmpty()) {
      throw new ProblemException(ProblemKind.NOT_FOUND, "There is nothing at this path.");
    }
    String wanted = method.equals("HEAD") ? "GET" : method;
    Route route =
        ends.stream()
            .flatMap(end -> Optional.ofNullable(end.routes.get(wanted)).stream())
            .findFirst()
            .orElseThrow(() -> notAllowed(ends));
    return new Found(route, parts(route, segments));
  }

  private static ProblemException notAllowed(List<Node> ends) {
    return Problem.of(
            ProblemKind.METHOD_NOT_ALLOWED,
            "This path does not take this method; the Allow header lists those it takes.")
        .header("Allow", allowed(ends))
        .problemException();
  }

  private static String allowed(List<Node> ends) {
    var allowed = new TreeSet<String>();
    ends.forEach(end -> allowed.addAll(end.routes.keySet()));
    if (allowed.contains("GET")) {
      allowed.add("HEAD");
    }
    return String.join(", ", allowed);
  }

  private static Map<String, String> parts(Route route, List<String> segments) {
    List<String> names = segments(route.path());
    var parts = new HashMap<String, String>();
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).startsWith("{")) {
        parts.put(
            names.get(i).substring(1, names.get(i).length() - 1),
            PercentEncoding.part(segments.get(i)));
      }
    }
    return parts;
  }

  private void add(Route route) {
    Node node = root;
    for (String segment : segments(route.path())) {
      String name = segment.startsWith("{") ? Node.ANY : segment;
      node = node.below.computeIfAbsent(name, key -> new Node());
    }
    if (node.routes.putIfAbsent(route.method(), route) != null) {
      throw new IllegalStateException("two routes answer " + route);
    }
  }

  /* A fixed segment is preferred to a variable one: POST /schedules/bulk is no schedule called bulk,
   * but GET /schedules/bulk is. */
  private static void collect(Node node, List<String> segments, int at, List<Node> ends) {
    if (at == segments.size()) {
      if (!node.routes.isEmpty()) {
        ends.add(node);
      }
      return;
    }
    String segment = segments.get(at);
    Node fixed = node.below.get(segment);
    if (fixed != null && !segment.equals(Node.ANY)) {
      collect(fixed, segments, at + 1, ends);
    }
    Node any = node.below.get(Node.ANY);
    if (any != null && !segment.isEmpty()) {
      collect(any, segments, at + 1, ends);
    }
  }

  private static List<String> segments(String path) {
    var segments = new ArrayList<>(List.of(path.split("/", -1)));
    segments.remove(0);
    return segments;
  }

  /** A place in the tree of paths. */
  private static final class Node {
    static final String ANY = "{}";

    final Map<String, Node> below = new HashMap<>();
    final Map<String, Route> routes = new HashMap<>();
  }
}
