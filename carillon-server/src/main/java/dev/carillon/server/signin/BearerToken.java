package dev.carillon.server.signin;

import dev.carillon.server.web.Caller;
import java.util.Optional;

/** A kind of bearer token. */
@FunctionalInterface
public interface BearerToken {
  /** Return whose {@code token} it is; empty if it is unknown, or not valid now. */
  Optional<Caller> caller(String token);
}
