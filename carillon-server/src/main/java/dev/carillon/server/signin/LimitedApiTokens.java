package dev.carillon.server.signin;

import dev.carillon.server.web.Caller;
import dev.carillon.server.web.ConcurrencyLimit;
import java.util.Optional;

/**
 * API tokens whose look-ups count among the requests that use the database.
 *
 * @param limit how many of these there may be at once
 */
public record LimitedApiTokens(ApiTokens tokens, ConcurrencyLimit limit) implements BearerToken {
  @Override
  public Optional<Caller> caller(String token) {
    return limit.take(() -> tokens.caller(token));
  }

  @Override
  public boolean couldBeValid(String token) {
    return tokens.couldBeValid(token);
  }
}
