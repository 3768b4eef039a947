package dev.carillon.targets.guard;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Resolves host names. */
@FunctionalInterface
public interface AddressLookup {
  /** Return all addresses of {@code host} in the order to try them; may block. */
  List<InetAddress> find(String host) throws UnknownHostException;

  /** Return the resolver of the operating system. */
  static AddressLookup system() {
    return host -> List.of(InetAddress.getAllByName(host));
  }
}
