package dev.carillon.targets.guard;

import dev.carillon.targets.SafeText;
import java.io.IOException;
import java.net.InetAddress;

/** The failure of a call whose address the guard refuses. */
public final class AddressRefusedException extends IOException {
  /**
   * Name the address and how to allow it.
   *
   * @param entry the entry of the allowed hosts that would permit it
   */
  AddressRefusedException(String host, InetAddress address, String kind, String entry) {
    super(
        "%s %s %s address, which targets may not call; an operator can allow it with the setting allowed-hosts (serve --allowed-hosts %s)"
            .formatted(SafeText.line(host, 300), resolution(host, address), kind, entry));
  }

  private static String resolution(String host, InetAddress address) {
    String number = address.getHostAddress();
    return HostText.normalize(host).equals(number) ? "is a" : "leads to " + number + ", a";
  }
}
