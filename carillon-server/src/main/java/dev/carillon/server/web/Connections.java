package dev.carillon.server.web;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.io.EndPoint;

/**
 * The connections of clients. There is always room for one more: whoever has had none of its
 * requests answered for longest makes room. A client can neither take its time over the headers of
 * a request nor over reading a reply.
 */
final class Connections {
  private static final Duration TIME_TO_ASK = Duration.ofSeconds(1);

  private final HttpLimits limits;
  private final PendingReplies pending;

  private final Set<EndPoint> open = new HashSet<>();
  private final Map<EndPoint, Object> busy = new HashMap<>();

  /* Since when, in the order of that. */
  private final Map<EndPoint, Long> quiet = new LinkedHashMap<>();
  private final Map<EndPoint, Long> replying = new LinkedHashMap<>();

  Connections(HttpLimits limits, PendingReplies pending) {
    this.limits = limits;
    this.pending = pending;
  }

  /** Take a new connection, and close another if there are far too many. */
  void opened(EndPoint endPoint) {
    Optional<EndPoint> tooMuch = Optional.empty();
    synchronized (this) {
      open.add(endPoint);
      quiet.put(endPoint, System.nanoTime());
      if (open.size() > 2 * limits.connections()) {
        tooMuch = quiet.keySet().stream().findFirst();
        // Closing takes effect later: it must not be chosen again.
        tooMuch.ifPresent(quiet::remove);
      }
    }
    tooMuch.ifPresent(EndPoint::close);
  }

  synchronized void closed(EndPoint endPoint) {
    open.remove(endPoint);
    busy.remove(endPoint);
    quiet.remove(endPoint);
    replying.remove(endPoint);
  }

  /** Note that {@code request} has come on a connection. */
  synchronized void begin(EndPoint endPoint, Object request) {
    if (open.contains(endPoint)) {
      quiet.remove(endPoint);
      busy.put(endPoint, request);
    }
  }

  /**
   * Say whether there are so many requests under way that only health probes are answered. Before
   * there are, those who wait for something are answered early, the longest first.
   */
  boolean isCrowded() {
    int room;
    synchronized (this) {
      room = limits.connections() - limits.reserved() - busy.size();
    }
    for (int i = room; i < limits.waitersLeave(); i++) {
      pending.replyToOldest();
    }
    return room < 0;
  }

  /** Note that the client of {@code request} is to read its reply now. */
  synchronized void reply(EndPoint endPoint, Object request) {
    if (busy.get(endPoint) == request) {
      replying.put(endPoint, System.nanoTime());
    }
  }

  /** Note that {@code request} is answered. */
  synchronized void end(EndPoint endPoint, Object request) {
    if (busy.remove(endPoint, request)) {
      replying.remove(endPoint);
      quiet.put(endPoint, System.nanoTime());
    }
  }

  /** Close connections whose clients take longer than they may. */
  void closeSlow() {
    long now = System.nanoTime();
    var slow = new ArrayList<EndPoint>();
    synchronized (this) {
      slow.addAll(longerThan(quiet, now - limits.idle().toNanos()));
      slow.addAll(tooMany(now - TIME_TO_ASK.toNanos()));
      slow.addAll(longerThan(replying, now - limits.reply().toNanos()));
    }
    slow.forEach(EndPoint::close);
  }

  /* A client that has just come is about to ask: it is left a moment, also in a crowd. */
  private List<EndPoint> tooMany(long before) {
    int tooMany = open.size() - limits.connections();
    var found = new ArrayList<EndPoint>();
    for (Map.Entry<EndPoint, Long> one : quiet.entrySet()) {
      if (found.size() >= tooMany || one.getValue() - before >= 0) {
        break;
      }
      found.add(one.getKey());
    }
    found.forEach(quiet::remove);
    return found;
  }

  private static List<EndPoint> longerThan(Map<EndPoint, Long> since, long before) {
    var found = new ArrayList<EndPoint>();
    for (Map.Entry<EndPoint, Long> one : since.entrySet()) {
      if (one.getValue() - before >= 0) {
        break;
      }
      found.add(one.getKey());
    }
    found.forEach(since::remove);
    return found;
  }
}
