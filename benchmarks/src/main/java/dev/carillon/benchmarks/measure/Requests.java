package dev.carillon.benchmarks.measure;

import dev.carillon.bench.Percentile;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;

/**
 * Requests of one kind at a steady rate, whether those before were answered or not; their time
 * counts from when they should have been sent.
 */
public final class Requests {
  private final String name;
  private final int perSecond;
  private final IntFunction<HttpRequest> request;
  private final LongAdder failed = new LongAdder();
  private final Queue<Double> millis = new ConcurrentLinkedQueue<>();
  private int sent;

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
  public record Outcome(
      String name,
      int perSecond,
      int sent,
      long failed,
      double p50Millis,
      double p95Millis,
      double p99Millis,
      double maxMillis) {}

  /** Return how many nanoseconds after the start the next one is due. */
  long due() {
    return (long) (sent * 1e9 / perSecond);
  }

  /** Send the next one, and call {@code answered} when that is over. */
  void send(HttpClient client, long start, Runnable answered) {
    long due = start + due();
    var unused =
        client
            .sendAsync(request.apply(sent++), BodyHandlers.discarding())
            .whenComplete(
                (response, failure) -> {
                  millis.add((System.nanoTime() - due) / 1e6);
                  if (failure != null || response.statusCode() >= 300) {
                    failed.increment();
                  }
                  answered.run();
                });
  }

  Outcome outcome() {
    double[] sorted = millis.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return new Outcome(
        name,
        perSecond,
        sent,
        failed.sum(),
        Percentile.of(sorted, 0.50),
        Percentile.of(sorted, 0.95),
        Percentile.of(sorted, 0.99),
        Percentile.of(sorted, 1));
  }
}
