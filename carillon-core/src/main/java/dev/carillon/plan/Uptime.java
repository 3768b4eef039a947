package dev.carillon.plan;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** When nodes run: all of a period but for the outages in it. */
public final class Uptime {
  private final Instant from;
  private final Instant to;
  private final List<Span> outages;

  /** A stretch of time, whose end is not part of it. */
  public record Span(Instant from, Instant to) {
    boolean contains(Instant instant) {
      return !instant.isBefore(from) && instant.isBefore(to);
    }
  }

  /** Let nodes run from {@code from} until {@code to}, but for {@code outages}. */
  public Uptime(Instant from, Instant to, List<Span> outages) {
    this.from = from;
    this.to = to;
    this.outages = outages.stream().sorted(Comparator.comparing(Span::from)).toList();
  }

  Instant from() {
    return from;
  }

  Instant to() {
    return to;
  }

  /** Return the stretches of the period in which nodes run, in their order. */
  List<Span> spans() {
    var spans = new ArrayList<Span>();
    Instant begin = from;
    for (Span outage : outages) {
      if (begin.isBefore(outage.from()) && begin.isBefore(to)) {
        spans.add(new Span(begin, Instants.earlier(outage.from(), to)));
      }
      begin = Instants.later(begin, outage.to());
    }
    if (begin.isBefore(to)) {
      spans.add(new Span(begin, to));
    }
    return spans;
  }

  /** Return {@code instant}, or when nodes run again if they do not at that time. */
  Instant upAt(Instant instant) {
    Instant up = instant;
    for (Span outage : outages) {
      up = outage.contains(up) ? outage.to() : up;
    }
    return up;
  }

  /** Return the first outage that begins after {@code start} and before {@code end}. */
  Optional<Span> outageWithin(Instant start, Instant end) {
    return outages.stream()
        .filter(outage -> outage.from().isAfter(start) && outage.from().isBefore(end))
        .findFirst();
  }
}
