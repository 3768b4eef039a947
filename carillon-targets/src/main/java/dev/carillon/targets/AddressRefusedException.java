package dev.carillon.targets;

import java.io.IOException;
import java.net.InetAddress;

/** An address that must not be called. */
public final class AddressRefusedException extends IOException {
  AddressRefusedException(String host, InetAddress address, String kind) {
    super(
        "%s leads to %s, a %s address, which targets may not call; an operator can allow it by configuration"
            .formatted(Printable.line(host, 300), address.getHostAddress(), kind));
  }
}
