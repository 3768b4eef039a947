package dev.carillon.console.browser;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Workers of a company: they take as long as such work does, and one is at work all the time. */
final class Crew implements AutoCloseable {
  private static final String QUICK_TARGETS =
      Stream.of(
              "rates bank shop risk models backups reconciler monitor media mailer warehouse search crm"
                  .split(" "))
          .map("\"%s\""::formatted)
          .collect(Collectors.joining(", "));

  private final RealServer server;
  private final Thread hand = new Thread(this::work, "crew");
  private final Random random = new Random(11);
  private volatile boolean closing;

  Crew(RealServer server) {
    this.server = server;
    hand.setDaemon(true);
  }

  /** Do from now on what comes. */
  void start() {
    hand.start();
  }

  /** Begin two runs that are at work for as long as the server is there. */
  void beginLongWork(DataSource database) {
    begin("reindex", "indexer", "62 %, 1,240,000 of 2,000,000 documents", database);
    begin("gdpr-erasure", "legal", "18 of 41 customers", database);
  }

  private void begin(String schedule, String target, String progress, DataSource database) {
    server.post("/schedules/" + schedule + "/run", "{}");
    if (claim(target + "-7", "\"" + target + "\"", "PT10S", "PT6H").isEmpty()) {
      throw new AssertionError("there is nothing to do for " + target);
    }
    Sql.update(
        database,
        "update carillon.run set progress = ? where state = 'running' and target = ?",
        progress,
        target);
  }

  private JsonNode claim(String worker, String targets, String wait, String lease) {
    return server
        .post(
            "/workers/claim",
            "{\"worker\": \"%s\", \"targets\": [%s], \"max\": 20, \"wait\": \"%s\", \"lease\": \"%s\"}"
                .formatted(worker, targets, wait, lease))
        .path("runs");
  }

  /* When the server is gone, nobody is needed. */
  private void work() {
    try {
      workUntilClosed();
    } catch (CompletionException | AssertionError e) {
      closing = true;
    }
  }

  private void workUntilClosed() {
    while (!closing) {
      for (JsonNode claim : claim("crew-1", QUICK_TARGETS, "PT5S", "PT5M")) {
        CompletableFuture.delayedExecutor(200 + random.nextInt(1500), TimeUnit.MILLISECONDS)
            .execute(() -> complete(claim));
      }
    }
  }

  private void complete(JsonNode claim) {
    server.post(
        "/workers/complete",
        "[{\"id\": \"%s\", \"attempt\": %s, \"fence\": \"%s\", \"outcome\": \"succeeded\"}]"
            .formatted(
                claim.path("id").asText(),
                claim.path("attempt").asInt(),
                claim.path("fence").asText()));
  }

  @Override
  public void close() {
    closing = true;
    try {
      hand.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
