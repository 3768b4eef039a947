package dev.carillon.server.signin;

import dev.carillon.server.web.Caller;
import dev.carillon.server.web.Role;
import java.util.Optional;

/** The token of an administrator that is set where the server is started. */
public final class ConfiguredToken implements BearerToken {
  /** The id of its callers. */
  static final String ID = "set";

  private final byte[] hash;

  /** Accept {@code token}, of which only the hash is kept. */
  public ConfiguredToken(String token) {
    this.hash = ApiTokenSecret.hash(token);
  }

  @Override
  public Optional<Caller> caller(String token) {
    return ApiTokenSecret.same(hash, ApiTokenSecret.hash(token))
        ? Optional.of(new Caller("admin", Role.ADMIN, "token", ID))
        : Optional.empty();
  }
}
