package dev.carillon.server.signin;

import dev.carillon.server.web.Caller;
import dev.carillon.server.web.Role;
import java.util.Optional;

/** The token of an administrator that is set where the server is started. */
public final class SetToken implements Bearer {
  private final byte[] hash;

  /** Accept {@code token}, of which only the hash is kept. */
  public SetToken(String token) {
    this.hash = Secret.hash(token);
  }

  @Override
  public Optional<Caller> caller(String token) {
    return Secret.same(hash, Secret.hash(token))
        ? Optional.of(new Caller("admin", Role.ADMIN, "token", "set"))
        : Optional.empty();
  }
}
