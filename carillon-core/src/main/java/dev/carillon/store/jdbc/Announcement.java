package dev.carillon.store.jdbc;

import java.util.Arrays;
import java.util.Optional;

/** What a node announces to the others on PostgreSQL's channel {@code carillon}. */
public enum Announcement {
  /** A run became due, or its lane free. */
  RUN,
  /** A schedule must be planned sooner than planners know. */
  PLAN,
  /** A run was asked to stop. */
  STOP;

  /** Announce it to all nodes once {@code tx} is committed. */
  public void publish(Transaction tx) {
    tx.query(
        "announce",
        "select pg_notify('carillon', :what)::text as announced",
        bind -> bind.set("what", EnumText.of(this)),
        row -> true);
  }

  /* Empty for announcements of other versions that this one does not know. */
  static Optional<Announcement> read(String word) {
    return Arrays.stream(values()).filter(one -> EnumText.of(one).equals(word)).findFirst();
  }
}
