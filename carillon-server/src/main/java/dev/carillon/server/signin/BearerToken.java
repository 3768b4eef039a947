package dev.carillon.server.signin;

import dev.carillon.server.web.Caller;
import java.util.Optional;

/** A kind of bearer token. */
@FunctionalInterface
public interface BearerToken {
  /** Return whose {@code token} it is; empty if it is unknown, or not valid now. */
  Optional<Caller> caller(String token);

  /** Return false if {@code token} is not valid as far as can be said without a cost per call. */
  default boolean couldBeValid(String token) {
    return true;
  }
}
