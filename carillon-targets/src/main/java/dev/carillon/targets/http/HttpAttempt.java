package dev.carillon.targets.http;

import dev.carillon.target.Outcome;
import dev.carillon.target.StopReason;
import dev.carillon.targets.guard.AddressRefusedException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a run at an endpoint. A request that could not be sent is repeated within about a
 * second; after a request was sent, only the retries of the run repeat it.
 */
final class HttpAttempt {
  /** How long to wait before the second and the third try. */
  static final List<Duration> PAUSES = List.of(Duration.ofMillis(200), Duration.ofSeconds(1));

  private final HttpSender sender;
  private final Supplier<HttpMessage> message;
  private final Duration timeout;
  private final Consumer<ExchangeResult> replied;
  private final Consumer<Outcome> stopped;
  private final long startedNanos = System.nanoTime();

  /* Guarded by this. */
  private @Nullable Exchange current;
  private boolean over;

  /**
   * Prepare an attempt.
   *
   * @param message creates the request for each try, since its signature contains the time
   * @param replied receives the result of the last try, unless the attempt was stopped
   * @param stopped receives the outcome if the attempt was stopped
   */
  HttpAttempt(
      HttpSender sender,
      Supplier<HttpMessage> message,
      Duration timeout,
      Consumer<ExchangeResult> replied,
      Consumer<Outcome> stopped) {
    this.sender = sender;
    this.message = message;
    this.timeout = timeout;
    this.replied = replied;
    this.stopped = stopped;
  }

  void start() {
    send(0);
  }

  private void send(int triesBefore) {
    Exchange exchange;
    synchronized (this) {
      if (over) {
        return;
      }
      exchange = sender.exchange(message.get(), remaining(), reply -> ended(reply, triesBefore));
      current = exchange;
    }
    exchange.send();
  }

  private Duration remaining() {
    Duration remaining = timeout.minusNanos(System.nanoTime() - startedNanos);
    return remaining.toMillis() < 1 ? Duration.ofMillis(1) : remaining;
  }

  private void ended(ExchangeResult reply, int triesBefore) {
    if (isWorthAnotherTry(reply, triesBefore)) {
      sender.later(PAUSES.get(triesBefore), () -> send(triesBefore + 1));
    } else if (finish()) {
      replied.accept(reply);
    }
  }

  private boolean isWorthAnotherTry(ExchangeResult reply, int triesBefore) {
    return reply instanceof ExchangeResult.Broken broken
        && !broken.sent()
        && !(broken.cause() instanceof AddressRefusedException)
        && triesBefore < PAUSES.size()
        && remaining().compareTo(PAUSES.get(triesBefore)) > 0
        && !isOver();
  }

  /** End early: close the connection and try no more. */
  void stop(StopReason reason) {
    Exchange aborted;
    synchronized (this) {
      aborted = current;
    }
    if (!finish()) {
      return;
    }
    if (aborted != null) {
      aborted.abort("stopped: " + reason);
    }
    stopped.accept(reason.outcome("the call was given up"));
  }

  private synchronized boolean isOver() {
    return over;
  }

  private synchronized boolean finish() {
    boolean first = !over;
    over = true;
    return first;
  }
}
