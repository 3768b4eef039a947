package dev.carillon.server;

import dev.carillon.model.ChangedBy;
import dev.carillon.server.signin.ApiTokenSecret;
import dev.carillon.server.signin.SignInLinks;
import dev.carillon.server.store.TokenStore;
import dev.carillon.server.web.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The token with which an administrator, and programs on the same machine, first sign in. */
final class FirstToken {
  private static final Logger LOG = LoggerFactory.getLogger(FirstToken.class);
  private static final String NAME = "admin";
  private static final String CREATOR = "carillon serve";

  private final TokenStore tokens;
  private final SignInLinks links;
  private final ServerFiles files;
  private final Announcement announcement;
  private final InstantSource clock;

  /**
   * Where the token is kept and announced.
   *
   * @param files keeps it
   * @param url where programs on this machine find the server
   * @param progress receives a line about it, which never shows it
   * @param inPrivate whether only the user who starts the server reads that line, so that it may
   *     show a link that signs in once
   */
  record Announcement(
      ServerFiles files, String url, Consumer<String> progress, boolean inPrivate) {}

  FirstToken(TokenStore tokens, SignInLinks links, Announcement announcement, InstantSource clock) {
    this.tokens = tokens;
    this.links = links;
    this.files = announcement.files();
    this.announcement = announcement;
    this.clock = clock;
  }

  /**
   * Make a token for an administrator if there is none in the data folder, and announce the file
   * that keeps it and, in private, a link to sign in by. One that cannot be kept is not made: it
   * would be of no use.
   *
   * @param ours whether the database is in the data folder: a user who can read that may sign in,
   *     even if others hold tokens
   */
  void make(boolean ours) {
    Optional<String> kept = kept();
    if (kept.isPresent()) {
      readmit(kept.get());
      return;
    }
    if (!ours && tokens.anyValid(clock.instant())) {
      return;
    }
    String token = ApiTokenSecret.generate();
    boolean keeps = files.keep(token);
    if (!keeps && !announcement.inPrivate()) {
      LOG.warn(
          "nobody can sign in yet: no admin token can be kept in {}; set CARILLON_ADMIN_TOKEN, or"
              + " make the folder writable, and start again",
          files.adminToken().getParent());
      return;
    }
    if (keeps) {
      add(token);
      announcement
          .progress()
          .accept("The admin token is in " + files.adminToken().toAbsolutePath().normalize());
    }
    if (announcement.inPrivate()) {
      announcement
          .progress()
          .accept(
              "Sign in once, within ten minutes: "
                  + announcement.url()
                  + links.create(CREATOR).path());
    }
  }

  /* A folder may be used with a new database. What was revoked stays so. */
  private void readmit(String token) {
    if (tokens.valid(ApiTokenSecret.hash(token), clock.instant()).isEmpty()
        && add(token).isEmpty()) {
      LOG.warn("the token in {} is revoked; delete the file to get a new one", files.adminToken());
    }
  }

  private Optional<?> add(String token) {
    return tokens.create(
        NAME,
        ApiTokenSecret.hash(token),
        List.of(Role.ADMIN.word()),
        Optional.empty(),
        new ChangedBy(clock.instant(), CREATOR));
  }

  private Optional<String> kept() {
    Path file = files.adminToken();
    try {
      return Optional.of(Files.readString(file).strip())
          .filter(token -> token.startsWith(ApiTokenSecret.PREFIX));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
