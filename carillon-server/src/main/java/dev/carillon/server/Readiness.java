package dev.carillon.server;

import dev.carillon.server.web.DaemonThreads;
import dev.carillon.store.jdbc.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this process can do its work now, answered within a second even if the database hangs.
 *
 * <p>One question at a time is put to the database; requests that come meanwhile share its answer,
 * so that impatient clients cannot pile up connections.
 */
final class Readiness implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Readiness.class);
  private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(1);

  private final ExecutorService asking =
      Executors.newSingleThreadExecutor(DaemonThreads.called("carillon-readiness"));
  private Supplier<List<String>> known = () -> List.of("starting");
  private Supplier<List<String>> check = List::of;
  private @Nullable Future<List<String>> underWay;

  /**
   * Ask both for reasons against readiness from now on.
   *
   * @param known answers at once
   * @param check may take its time; it is asked only if nothing is known
   */
  synchronized void use(Supplier<List<String>> known, Supplier<List<String>> check) {
    this.known = known;
    this.check = check;
    underWay = null;
  }

  /** Return why work cannot be done now; empty when it can. */
  List<String> reasonsAgainst() {
    List<String> reasons = known().get();
    if (!reasons.isEmpty()) {
      return reasons;
    }
    Future<List<String>> answer = ask();
    try {
      return answer.get(CHECK_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return List.of(
          "the database did not answer within %s s".formatted(CHECK_TIMEOUT.toSeconds()));
    } catch (ExecutionException e) {
      LOG.debug("not ready", e);
      return List.of(reason(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of("stopping");
    }
  }

  private synchronized Supplier<List<String>> known() {
    return known;
  }

  private static String reason(ExecutionException e) {
    return e.getCause() instanceof StoreException store && store.outage().isPresent()
        ? "the database " + store.outage().get().predicate()
        : "the database cannot be asked: " + OneLineMessage.of(e);
  }

  private synchronized Future<List<String>> ask() {
    Future<List<String>> answer = underWay;
    if (answer == null || answer.isDone()) {
      answer = asking.submit(check::get);
      underWay = answer;
    }
    return answer;
  }

  @Override
  public void close() {
    asking.shutdownNow();
  }
}
