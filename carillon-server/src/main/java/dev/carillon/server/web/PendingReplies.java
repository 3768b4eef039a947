package dev.carillon.server.web;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Replies that are not known yet; a server that stops does not wait for them. */
final class PendingReplies {
  private final Set<Reply.Later> replies = ConcurrentHashMap.newKeySet();
  private volatile boolean stopping;

  /** Keep {@code reply} until it is known. */
  void add(Reply.Later reply) {
    replies.add(reply);
    var unused = reply.reply().whenComplete((known, failure) -> replies.remove(reply));
    if (stopping) {
      reply.replyNow().run();
    }
  }

  /** Make every reply known at once, also those that are still to come. */
  void replyNow() {
    stopping = true;
    replies.forEach(reply -> reply.replyNow().run());
  }
}
