package dev.carillon.targets.guard;

import java.net.InetAddress;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Decides which addresses targets may call, so that a user who may define a target cannot reach the
 * database, the router or the cloud's metadata service through it.
 *
 * <p>It checks addresses, not names: the name is resolved first, and the connection goes to exactly
 * the address that was checked.
 */
public final class AddressGuard {
  private final List<AllowedHost> allowed;
  private final Predicate<InetAddress> own;

  private AddressGuard(List<AllowedHost> allowed, Predicate<InetAddress> own) {
    this.allowed = allowed;
    this.own = own;
  }

  /** Allow public addresses only, and of these none of this machine. */
  public static AddressGuard strict() {
    return allowing(List.of());
  }

  /**
   * Allow public addresses of other machines and {@code entries}: CIDR blocks, addresses and host
   * names, each with {@code :port} to allow one port only.
   */
  public static AddressGuard allowing(Collection<String> entries) {
    return new AddressGuard(
        entries.stream().map(AllowedHost::parse).toList(), OwnAddresses::contain);
  }

  /** Refuse the addresses that are {@code own} at the time of a call, instead of this machine's. */
  public AddressGuard refusing(Predicate<InetAddress> own) {
    return new AddressGuard(allowed, own);
  }

  /**
   * Return {@code found}, all addresses of {@code host}, if every one of them may be called. One
   * refused address refuses the host, since the client may pick any of them.
   */
  public List<InetAddress> check(String host, int port, List<InetAddress> found)
      throws AddressRefusedException {
    for (InetAddress address : found) {
      Optional<String> reason = refusal(HostText.normalize(host), port, address);
      if (reason.isPresent()) {
        throw new AddressRefusedException(host, address, reason.get(), entry(host, address));
      }
    }
    return found;
  }

  /* A name is preferred where it suffices: it stays valid when its address changes. */
  private static String entry(String host, InetAddress address) {
    boolean byName =
        AddressKind.of(address).orElse(AddressKind.PRIVATE).canBeAllowedByName()
            && HostText.isName(host);
    return byName ? HostText.normalize(host) : address.getHostAddress();
  }

  private Optional<String> refusal(String host, int port, InetAddress address) {
    Optional<AddressKind> kind = AddressKind.of(address);
    AddressKind effectiveKind = kind.orElse(AddressKind.PRIVATE);
    boolean internal = kind.isPresent() || isOwn(address);
    if (!internal
        || allowed.stream().anyMatch(entry -> entry.allows(host, port, address, effectiveKind))) {
      return Optional.empty();
    }
    return Optional.of(kind.map(AddressKind::label).orElse("local"));
  }

  private boolean isOwn(InetAddress address) {
    byte[] bytes = address.getAddress();
    return own.test(address)
        || (bytes.length != EmbeddedIpv4.BYTES && EmbeddedIpv4.in(bytes).stream().anyMatch(own));
  }
}
