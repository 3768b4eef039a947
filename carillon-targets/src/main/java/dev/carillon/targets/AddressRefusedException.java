package dev.carillon.targets;

import java.io.IOException;
import java.net.InetAddress;

/** An address that must not be called. */
public final class AddressRefusedException extends IOException {
  /**
   * Say which address, and how it can be allowed.
   *
   * @param entry what the list of allowed hosts has to have for that
   */
  AddressRefusedException(String host, InetAddress address, String kind, String entry) {
    super(
        "%s %s %s address, which targets may not call; an operator can allow it with the setting allowed-hosts (serve --allowed-hosts %s)"
            .formatted(Printable.line(host, 300), leads(host, address), kind, entry));
  }

  private static String leads(String host, InetAddress address) {
    String number = address.getHostAddress();
    return Hosts.plain(host).equals(number) ? "is a" : "leads to " + number + ", a";
  }
}
