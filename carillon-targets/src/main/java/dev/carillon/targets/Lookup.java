package dev.carillon.targets;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Resolves host names. */
@FunctionalInterface
public interface Lookup {
  /** Return all addresses of {@code host} in the order to try them; may block. */
  List<InetAddress> find(String host) throws UnknownHostException;

  /** Return the resolver of the operating system. */
  static Lookup system() {
    return host -> List.of(InetAddress.getAllByName(host));
  }
}
