package dev.carillon.server.web;

import dev.carillon.server.store.ConsoleSessionStore;
import dev.carillon.server.store.TokenStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Tells which callers, who were let in a while ago and still wait, would not be let in any more.
 *
 * @param tokens which of them are revoked
 * @param sessions which of them were signed out
 * @param clock says which sign-ins are over
 */
public record SignInCheck(TokenStore tokens, ConsoleSessionStore sessions, InstantSource clock) {
  /**
   * Return those of {@code callers} whose token is revoked, or whose sign-in or session is over.
   */
  public Set<Caller> ended(Collection<Caller> callers) {
    Instant now = clock.instant();
    Set<UUID> ids =
        callers.stream().flatMap(caller -> token(caller).stream()).collect(Collectors.toSet());
    Set<UUID> revoked = ids.isEmpty() ? Set.of() : tokens.ended(ids, now);
    Set<String> open =
        callers.stream()
            .flatMap(caller -> caller.limits().session().stream())
            .collect(Collectors.toSet());
    Set<String> signedOut = open.isEmpty() ? Set.of() : sessions.ended(open);
    return callers.stream()
        .filter(
            caller ->
                caller.limits().until().filter(end -> !end.isAfter(now)).isPresent()
                    || token(caller).filter(revoked::contains).isPresent()
                    || caller.limits().session().filter(signedOut::contains).isPresent())
        .collect(Collectors.toSet());
  }

  /* The one that is set where the server is started has no number, and cannot be revoked. */
  private static Optional<UUID> token(Caller caller) {
    return caller.means().equals("token") && caller.id().length() == 36
        ? Optional.of(UUID.fromString(caller.id()))
        : Optional.empty();
  }
}
