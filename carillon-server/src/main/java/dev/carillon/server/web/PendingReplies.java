package dev.carillon.server.web;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Replies that are not known yet; a server that stops or is crowded does not wait for them. */
final class PendingReplies {
  /* The oldest first. Guarded by this; replies are made known without the lock. */
  private final Set<Reply.Later> replies = new LinkedHashSet<>();
  private boolean stopping;

  /** Keep {@code reply} until it is known. */
  void add(Reply.Later reply) {
    boolean now;
    synchronized (this) {
      replies.add(reply);
      now = stopping;
    }
    var unused = reply.reply().whenComplete((known, failure) -> remove(reply));
    if (now) {
      reply.replyNow().run();
    }
  }

  private synchronized void remove(Reply.Later reply) {
    replies.remove(reply);
  }

  /** Make the oldest reply known at once, if there is one. */
  void replyToOldest() {
    Optional<Reply.Later> oldest;
    synchronized (this) {
      oldest = replies.stream().findFirst();
      oldest.ifPresent(replies::remove);
    }
    oldest.ifPresent(reply -> reply.replyNow().run());
  }

  /** Make every reply known at once, also those that are still to come. */
  void replyNow() {
    List<Reply.Later> all;
    synchronized (this) {
      stopping = true;
      all = List.copyOf(replies);
    }
    all.forEach(reply -> reply.replyNow().run());
  }
}
