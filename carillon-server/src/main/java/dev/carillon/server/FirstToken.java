package dev.carillon.server;

import dev.carillon.model.Stamp;
import dev.carillon.server.signin.Secret;
import dev.carillon.server.web.Role;
import dev.carillon.store.TokenStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sees to it that somebody can sign in to a new server, and that programs beside it can. */
final class FirstToken {
  private static final Logger LOG = LoggerFactory.getLogger(FirstToken.class);
  private static final String NAME = "admin";

  private final TokenStore tokens;
  private final Notice notice;
  private final InstantSource clock;

  FirstToken(TokenStore tokens, Notice notice, InstantSource clock) {
    this.tokens = tokens;
    this.notice = notice;
    this.clock = clock;
  }

  /**
   * Make a token for an administrator if there is none in the data folder, and return it, for it is
   * shown once.
   *
   * @param ours whether the database is in the data folder: whoever can read that may sign in, even
   *     if others hold tokens
   */
  Optional<String> make(boolean ours) {
    Optional<String> kept = kept();
    if (kept.isPresent()) {
      readmit(kept.get());
      return Optional.empty();
    }
    if (!ours && tokens.anyValid(clock.instant())) {
      return Optional.empty();
    }
    String token = Secret.generate();
    add(token);
    if (!notice.keep(token)) {
      LOG.warn("the admin token could not be kept; it is shown once, now");
    }
    return Optional.of(token);
  }

  /* A folder may be used with a new database. What was revoked stays so. */
  private void readmit(String token) {
    if (tokens.valid(Secret.hash(token), clock.instant()).isEmpty() && add(token).isEmpty()) {
      LOG.warn("the token in {} is revoked; delete the file to get a new one", notice.adminToken());
    }
  }

  private Optional<?> add(String token) {
    return tokens.create(
        NAME,
        Secret.hash(token),
        List.of(Role.ADMIN.word()),
        Optional.empty(),
        new Stamp(clock.instant(), "carillon serve"));
  }

  private Optional<String> kept() {
    Path file = notice.adminToken();
    try {
      return Optional.of(Files.readString(file).strip())
          .filter(token -> token.startsWith(Secret.PREFIX));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
