package dev.carillon.targets.guard;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Addresses as they are written. */
public final class Addresses {
  private Addresses() {}

  /** Read an address that is a number, so that nothing is looked up. */
  public static InetAddress of(String literal) throws UnknownHostException {
    return InetAddress.getAllByName(literal)[0];
  }
}
