package dev.carillon.server.signin;

import dev.carillon.server.watch.DatabaseAwayException;
import dev.carillon.server.watch.DatabaseWatch;
import dev.carillon.server.web.Caller;
import dev.carillon.server.web.Problem;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.store.StoreException;
import java.time.Duration;
import java.util.Optional;

/**
 * API tokens for those who ask how the server is, also while the database is away: a token that was
 * good shortly before goes on to be.
 */
public final class TokensWithoutDatabase implements Bearer {
  private final Bearer asked;
  private final ApiTokens tokens;
  private final DatabaseWatch watch;

  /**
   * Ask {@code asked} while the database answers.
   *
   * @param tokens remembers which were good
   */
  public TokensWithoutDatabase(Bearer asked, ApiTokens tokens, DatabaseWatch watch) {
    this.asked = asked;
    this.tokens = tokens;
    this.watch = watch;
  }

  @Override
  public Optional<Caller> caller(String token) {
    if (!token.startsWith(Secret.PREFIX)) {
      return Optional.empty();
    }
    try {
      return watch.ask(() -> asked.caller(token));
    } catch (DatabaseAwayException e) {
      return Optional.of(remembered(token, e.outage().lasted()));
    } catch (StoreException e) {
      if (!e.isTransient()) {
        throw e;
      }
      return Optional.of(remembered(token, Duration.ZERO));
    }
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
                    .refusal());
  }
}
