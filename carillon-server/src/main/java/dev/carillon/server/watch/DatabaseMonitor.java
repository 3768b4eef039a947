package dev.carillon.server.watch;

import dev.carillon.server.web.DaemonThreads;
import dev.carillon.server.web.EnduringTask;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks once a second whether the database answers and can be written, and logs when it goes away,
 * now and then while it is away, and when it is back.
 */
public final class DatabaseMonitor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseMonitor.class);
  private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);
  private static final Duration REMINDER_INTERVAL = Duration.ofMinutes(1);

  private final String place;
  private final Supplier<Optional<Trouble>> probe;
  private final LongSupplier nanos;
  private final ScheduledExecutorService turns =
      Executors.newSingleThreadScheduledExecutor(DaemonThreads.called("carillon-database"));
  private final ExecutorService questions =
      Executors.newCachedThreadPool(DaemonThreads.called("carillon-asking"));
  private volatile @Nullable Away away;

  /* Complete as soon as the database is away; another one once it is back. */
  private volatile CompletableFuture<Away> goingAway = new CompletableFuture<>();

  /* Of the outage under way; used by turns alone. */
  private long loggedAt;
  private int asked;

  private record Away(long since, Trouble trouble) {}

  /**
   * What is wrong with the database.
   *
   * @param cause why it does not answer, as far as that is known
   * @param answers whether it answers and only cannot be written
   */
  public record Trouble(String cause, boolean answers) {
    private static final Trouble READ_ONLY = new Trouble("it is read-only", true);

    /** Return that it does not answer because of {@code cause}, one line. */
    public static Trouble silent(String cause) {
      return new Trouble(cause, false);
    }

    /** Return that it answers, but is read-only. */
    public static Trouble readOnly() {
      return READ_ONLY;
    }
  }

  /**
   * A time during which the database does not answer, or cannot be written.
   *
   * @param place where the database is
   * @param trouble what is wrong with it
   * @param lasted for how long that was so
   */
  public record Outage(String place, Trouble trouble, Duration lasted) {
    /** Return it in one line. */
    public String text() {
      return "the database at %s has not %s for %s s: %s"
          .formatted(
              place,
              trouble.answers ? "been writable" : "answered",
              lasted.toSeconds(),
              trouble.cause);
    }
  }

  /**
   * Watch the database at {@code place}.
   *
   * @param probe says what is wrong with it; empty if nothing is
   */
  public DatabaseMonitor(String place, Supplier<Optional<Trouble>> probe) {
    this(place, probe, System::nanoTime);
  }

  DatabaseMonitor(String place, Supplier<Optional<Trouble>> probe, LongSupplier nanos) {
    this.place = place;
    this.probe = probe;
    this.nanos = nanos;
  }

  /** Begin to check. */
  public DatabaseMonitor start() {
    var unused =
        turns.scheduleWithFixedDelay(
            new EnduringTask("the watch over the database", this::turn),
            CHECK_INTERVAL.toMillis(),
            CHECK_INTERVAL.toMillis(),
            TimeUnit.MILLISECONDS);
    return this;
  }

  /** Check once. */
  void turn() {
    Optional<Trouble> trouble = trouble();
    Away known = away;
    if (trouble.isEmpty()) {
      if (known != null) {
        end(known);
      }
    } else if (known == null || known.trouble.answers != trouble.get().answers) {
      begin(trouble.get());
    } else {
      goOn(new Away(known.since, trouble.get()));
    }
  }

  private Optional<Trouble> trouble() {
    try {
      return probe.get();
    } catch (RuntimeException e) { // a turn that throws would be the last
      return Optional.of(Trouble.silent(e.toString()));
    }
  }

  private void begin(Trouble trouble) {
    var begun = new Away(nanos.getAsLong(), trouble);
    away = begun;
    loggedAt = begun.since;
    asked = 1;
    if (trouble.answers) {
      answersAgain();
      LOG.warn("the database at {} cannot be written: {}; trying again", place, trouble.cause);
    } else {
      goingAway.complete(begun);
      LOG.warn("the database at {} does not answer: {}; trying again", place, trouble.cause);
    }
  }

  private void answersAgain() {
    if (goingAway.isDone()) {
      goingAway = new CompletableFuture<>();
    }
  }

  private void goOn(Away longer) {
    away = longer;
    asked++;
    long now = nanos.getAsLong();
    if (now - loggedAt >= REMINDER_INTERVAL.toNanos()) {
      loggedAt = now;
      LOG.warn("{} (asked {} times)", outage(longer).text(), asked);
    }
  }

  private void end(Away over) {
    answersAgain();
    away = null;
    LOG.info(
        "the database at {} is {} after {} s",
        place,
        over.trouble.answers ? "writable again" : "back",
        outage(over).lasted().toSeconds());
  }

  private Outage outage(Away known) {
    return new Outage(place, known.trouble, Duration.ofNanos(nanos.getAsLong() - known.since));
  }

  /** Return the outage under way; empty while the database answers and can be written. */
  public Optional<Outage> outage() {
    return Optional.ofNullable(away).map(this::outage);
  }

  /**
   * Ask the database something, and wait for its answer until it is known to be away.
   *
   * @throws DatabaseUnavailableException if it is away, or goes away before it has answered
   */
  public <T> T ask(Supplier<T> question) {
    CompletableFuture<Away> end = goingAway;
    CompletableFuture<T> answer =
        end.isDone()
            ? new CompletableFuture<>()
            : CompletableFuture.supplyAsync(question, questions);
    try {
      var unused = CompletableFuture.anyOf(answer, end).join();
      if (!answer.isDone()) {
        throw new DatabaseUnavailableException(outage(end.join()));
      }
      return answer.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  /** Check no more. Safe to call twice. */
  @Override
  public void close() {
    turns.shutdownNow();
    questions.shutdownNow();
  }
}
