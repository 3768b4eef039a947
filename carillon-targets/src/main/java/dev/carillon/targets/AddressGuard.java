package dev.carillon.targets;

import java.net.InetAddress;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps requests that others describe from reaching what only insiders should: whoever may define a
 * target must not thereby reach the database, the router or the cloud's metadata.
 *
 * <p>It judges addresses, not names: whatever a name or a number in disguise leads to is checked,
 * and the connection goes to the very address that was.
 */
public final class AddressGuard {
  private final List<AllowedHost> allowed;
  private final Set<InetAddress> own;

  private AddressGuard(List<AllowedHost> allowed, Set<InetAddress> own) {
    this.allowed = allowed;
    this.own = own;
  }

  /** Allow public addresses only. */
  public static AddressGuard strict() {
    return allowing(List.of());
  }

  /**
   * Allow public addresses, and what {@code entries} name: blocks, addresses and host names, each
   * with {@code :port} if only one is meant.
   */
  public static AddressGuard allowing(Collection<String> entries) {
    return new AddressGuard(entries.stream().map(AllowedHost::parse).toList(), Set.of());
  }

  /** Refuse {@code addresses} as well, such as the public ones of this machine. */
  public AddressGuard refusing(Collection<InetAddress> addresses) {
    return new AddressGuard(allowed, Set.copyOf(addresses));
  }

  /**
   * Return {@code found}, all the addresses of {@code host}, if every one of them may be called; a
   * name with a single bad one is refused, since chance would decide which is called.
   */
  public List<InetAddress> check(String host, int port, List<InetAddress> found)
      throws AddressRefusedException {
    for (InetAddress address : found) {
      Optional<String> reason = refusal(Hosts.plain(host), port, address);
      if (reason.isPresent()) {
        throw new AddressRefusedException(host, address, reason.get(), entry(host, address));
      }
    }
    return found;
  }

  /* The name is enough for what a name may allow, and goes on to hold when its address changes. */
  private static String entry(String host, InetAddress address) {
    boolean byName =
        AddressKind.of(address).orElse(AddressKind.PRIVATE).canBeAllowedByName()
            && host.matches("[A-Za-z0-9._-]+");
    return byName ? Hosts.plain(host) : address.getHostAddress();
  }

  private Optional<String> refusal(String host, int port, InetAddress address) {
    Optional<AddressKind> kind = AddressKind.of(address);
    AddressKind judged = kind.orElse(AddressKind.PRIVATE);
    boolean inside = kind.isPresent() || own.contains(address);
    if (!inside || allowed.stream().anyMatch(entry -> entry.allows(host, port, address, judged))) {
      return Optional.empty();
    }
    return Optional.of(kind.map(AddressKind::word).orElse("own"));
  }
}
