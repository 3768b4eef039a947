package dev.carillon.targets.guard;

import dev.carillon.json.AsciiText;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;

/** A block of addresses that share their first bits, such as {@code 10.0.0.0/8}. */
public final class Cidr {
  private static final int MAX_IPV6_LENGTH =
      "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255".length();

  private final byte[] first;
  private final int bits;

  private Cidr(byte[] first, int bits) {
    this.first = first;
    this.bits = bits;
  }

  /** Parse a block; a single address is a block of one. */
  public static Cidr parse(String text) {
    int slash = text.indexOf('/');
    byte[] address =
        literal(slash < 0 ? text : text.substring(0, slash))
            .map(InetAddress::getAddress)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "'%s' is no block of addresses, such as 10.0.0.0/8 or fd00::/8"
                            .formatted(text)));
    int maxBits = address.length * Byte.SIZE;
    int bits = slash < 0 ? maxBits : prefixLength(text.substring(slash + 1), maxBits, text);
    if (!Arrays.equals(address, masked(address, bits))) {
      throw new IllegalArgumentException(
          "'%s' has bits set behind its first %s; a block begins with its lowest address"
              .formatted(text, bits));
    }
    return new Cidr(address, bits);
  }

  /** Return whether {@code text} looks like a block or an address rather than a name. */
  static boolean isNumeric(String text) {
    return text.indexOf('/') >= 0 || text.indexOf(':') >= 0 || HostText.isIpv4(text);
  }

  boolean contains(byte[] address) {
    return address.length == first.length && Arrays.equals(first, masked(address, bits));
  }

  /** Return whether {@code address} is in the block. */
  public boolean contains(InetAddress address) {
    return contains(address.getAddress());
  }

  private static byte[] masked(byte[] address, int bits) {
    byte[] masked = address.clone();
    for (int i = 0; i < masked.length; i++) {
      int bitsOfByte = Math.max(0, Math.min(Byte.SIZE, bits - i * Byte.SIZE));
      masked[i] &= (byte) (0xFF << (Byte.SIZE - bitsOfByte));
    }
    return masked;
  }

  private static int prefixLength(String digits, int maxBits, String text) {
    long bits = AsciiText.number(digits, 3).orElse(-1);
    if (bits >= 0 && bits <= maxBits) {
      return (int) bits;
    }
    throw new IllegalArgumentException(
        "'%s' must end in a number of bits from /0 to /%s".formatted(text, maxBits));
  }

  /** Parse a numeric address; empty if {@code address} is a name or anything else. */
  public static Optional<InetAddress> literal(String address) {
    boolean plain = HostText.isIpv4(address) || looksLikeIpv6(address);
    try {
      if (plain) {
        return Optional.of(InetAddress.getByName(address)); // numeric, so nothing is looked up
      }
    } catch (UnknownHostException notAnAddress) {
      // falls through
    }
    return Optional.empty();
  }

  private static boolean looksLikeIpv6(String address) {
    return address.indexOf(':') >= 0
        && address.length() <= MAX_IPV6_LENGTH
        && address
            .chars()
            .allMatch(c -> c == ':' || c == '.' || (c < 128 && Character.digit(c, 16) >= 0));
  }
}
