package dev.carillon.benchmarks.scale;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;

/**
 * Requests of one kind that come so often, whether those before were answered or not; what they
 * take counts from when they should have been sent.
 */
final class Requests {
  private final String name;
  private final int perSecond;
  private final IntFunction<HttpRequest> request;
  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicInteger open = new AtomicInteger();
  private final LongAdder failed = new LongAdder();
  private final Queue<Double> millis = new ConcurrentLinkedQueue<>();

  Requests(String name, int perSecond, IntFunction<HttpRequest> request) {
    this.name = name;
    this.perSecond = perSecond;
    this.request = request;
  }

  /**
   * What became of them.
   *
   * @param sent how many were sent
   * @param failed how many were not answered with success
   */
  record Outcome(
      String name,
      int perSecond,
      int sent,
      long failed,
      double p50Millis,
      double p95Millis,
      double p99Millis,
      double maxMillis) {}

  /** Send what is due {@code passed} nanoseconds after {@code start}. */
  void sendDue(HttpClient client, long start, long passed) {
    while (sent.get() < passed / 1e9 * perSecond) {
      int number = sent.getAndIncrement();
      long due = start + (long) (number * 1e9 / perSecond);
      open.incrementAndGet();
      var unused =
          client
              .sendAsync(request.apply(number), BodyHandlers.discarding())
              .whenComplete(
                  (response, failure) -> {
                    millis.add((System.nanoTime() - due) / 1e6);
                    if (failure != null || response.statusCode() >= 300) {
                      failed.increment();
                    }
                    open.decrementAndGet();
                  });
    }
  }

  boolean allAnswered() {
    return open.get() == 0;
  }

  Outcome outcome() {
    double[] sorted = millis.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return new Outcome(
        name,
        perSecond,
        sent.get(),
        failed.sum(),
        share(sorted, 0.50),
        share(sorted, 0.95),
        share(sorted, 0.99),
        share(sorted, 1));
  }

  private static double share(double[] sorted, double share) {
    return sorted.length == 0 ? Double.NaN : sorted[(int) Math.ceil(share * sorted.length) - 1];
  }
}
