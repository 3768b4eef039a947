package dev.carillon.server.signin;

import dev.carillon.server.watch.DatabaseMonitor;
import dev.carillon.server.watch.DatabaseUnavailableException;
import dev.carillon.server.web.Caller;
import dev.carillon.server.web.Problem;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.store.jdbc.StoreException;
import java.time.Duration;
import java.util.Optional;

/**
 * API tokens for health and metrics, also while the database is away: a token that was valid
 * shortly before goes on to be.
 *
 * @param asked answers while the database does
 * @param tokens remembers which tokens were valid
 * @param watch knows whether the database answers
 */
public record CachedApiTokens(BearerToken asked, ApiTokens tokens, DatabaseMonitor watch)
    implements BearerToken {
  @Override
  public Optional<Caller> caller(String token) {
    if (!token.startsWith(ApiTokenSecret.PREFIX)) {
      return Optional.empty();
    }
    try {
      return watch.ask(() -> asked.caller(token));
    } catch (DatabaseUnavailableException e) {
      return Optional.of(remembered(token, e.outage().lasted()));
    } catch (StoreException e) {
      if (!e.isTransient()) {
        throw e;
      }
      return Optional.of(remembered(token, Duration.ZERO));
    }
  }

  @Override
  public boolean couldBeValid(String token) {
    return asked.couldBeValid(token);
  }

  private Caller remembered(String token, Duration awayFor) {
    return tokens
        .remembered(token, awayFor)
        .orElseThrow(
            () ->
                Problem.of(
                        ProblemKind.UNAVAILABLE,
                        "The database cannot answer now, and it alone knows this token; try again.")
                    .header("Retry-After", "1")
                    .problemException());
  }
}
