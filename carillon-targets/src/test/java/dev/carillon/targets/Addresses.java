package dev.carillon.targets;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Addresses as they are written. */
final class Addresses {
  private Addresses() {}

  /** Read an address that is a number, so that nothing is looked up. */
  static InetAddress of(String literal) throws UnknownHostException {
    return InetAddress.getAllByName(literal)[0];
  }
}
