package dev.carillon.server.store;

import dev.carillon.store.jdbc.Database;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * The first bytes of the hashes of API tokens: enough to say of almost all others that they are
 * unknown.
 */
public final class TokenHashes {
  /** How many bytes of each hash are read. */
  private static final int PREFIX_BYTES = Long.BYTES;

  private final Database database;

  public TokenHashes(Database database) {
    this.database = database;
  }

  /** Read the prefixes of all tokens that are valid at {@code now}. */
  public Set<Long> validAt(Instant now) {
    return new HashSet<>(
        database.query(
            "list the prefixes of token hashes",
            """
            select encode(substring(hash from 1 for :length), 'hex') as prefix
              from carillon.api_token
             where revoked_at is null
               and (expires_at is null or expires_at > :now)
            """,
            bind -> bind.set("length", PREFIX_BYTES).set("now", now),
            row -> Long.parseUnsignedLong(row.text("prefix"), 16)));
  }

  /** Return the first bytes of {@code hash} as a number. */
  public static long prefix(byte[] hash) {
    return ByteBuffer.wrap(hash, 0, PREFIX_BYTES).getLong();
  }
}
