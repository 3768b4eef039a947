package dev.carillon.targets.http;

import java.net.URI;

/** A URL without the parts that may hold credentials: its query and user info. */
public final class ShownUrl {
  private ShownUrl() {}

  /** Return {@code url} up to the end of its path, without user info. */
  public static String of(URI url) {
    String authority = String.valueOf(url.getRawAuthority());
    return "%s://%s%s"
        .formatted(
            url.getScheme(),
            authority.substring(authority.lastIndexOf('@') + 1),
            url.getRawPath() == null ? "" : url.getRawPath());
  }
}
