package dev.carillon.server;

import java.util.function.Function;

/** A method and path, and the function that answers it. A GET also answers HEAD. */
record Route(String method, String path, Function<Request, Reply> handler) {
  static Route get(String path, Function<Request, Reply> handler) {
    return new Route("GET", path, handler);
  }
}
