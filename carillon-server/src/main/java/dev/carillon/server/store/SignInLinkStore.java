package dev.carillon.server.store;

import dev.carillon.model.ChangedBy;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Database;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Links by which an administrator signs in once, stored as hashes of their codes. */
public final class SignInLinkStore {
  private final Database database;

  public SignInLinkStore(Database database) {
    this.database = database;
  }

  /** Add a link, and forget those that are over. */
  public void create(byte[] hash, Instant expiresAt, ChangedBy by) {
    database.inTransaction(
        tx -> {
          tx.update(
              "forget links that are over",
              "delete from carillon.sign_in_link where expires_at <= :at",
              bind -> bind.set("at", by.at()));
          tx.update(
              "insert a sign-in link",
              """
              insert into carillon.sign_in_link (hash, created_at, created_by, expires_at)
              values (:hash, :at, :by, :expires)
              """,
              bind -> bind.set("hash", hash).set("expires", expiresAt).by(by));
          AuditStore.insert(
              tx,
              List.of(
                  AuditStore.Line.of(
                      "sign_in_link.created", Map.of("expiresAt", expiresAt.toString()))),
              by);
          return true;
        });
  }

  /**
   * Use the link with this hash, which nobody can use again, and return who made it; empty if there
   * is none that is valid at {@code now}.
   */
  public Optional<String> use(byte[] hash, Instant now) {
    return database.first(
        "use a sign-in link",
        """
        delete from carillon.sign_in_link
         where hash = :hash
           and expires_at > :now
        returning created_by
        """,
        bind -> bind.set("hash", hash).set("now", now),
        row -> row.text("created_by"));
  }
}
