package dev.carillon.cluster;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.carillon.Carillon;
import dev.carillon.event.Event;
import dev.carillon.store.jdbc.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The program of one node: runs Carillon until it is killed, or until its input ends. */
final class ClusterNode {
  static final Duration POLL = Duration.ofMillis(100);
  static final Duration HEARTBEAT = Duration.ofMillis(400);
  static final Duration LEASE = Duration.ofMillis(1_600);
  static final Duration LOOKAHEAD = Duration.ofSeconds(4);
  private static final Duration DRAIN = Duration.ofSeconds(10);

  /* Short, so that a step finds out soon that the database is gone. */
  private static final long CONNECTING = 2_000;

  private ClusterNode() {}

  /** Take the address, user and password of the database, the node's name and its concurrency. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    String name = arguments[3];
    int concurrency = Integer.parseInt(arguments[4]);
    HikariDataSource own = pool(arguments, 10);
    var id = new CompletableFuture<UUID>();
    var effects = new Effects(pool(arguments, 6), id::join);
    Carillon carillon =
        Carillon.builder()
            .dataSource(own)
            .nodeName(name)
            .poll(POLL)
            .heartbeat(HEARTBEAT)
            .lease(LEASE)
            .lookahead(LOOKAHEAD)
            .drain(DRAIN)
            .concurrency(concurrency)
            .target(Work.LABEL, new Work(effects))
            .target(Bell.LABEL, new Bell())
            .transactionalTarget(Ledger.LABEL, new Ledger(effects), 4)
            .listener(ClusterNode::log)
            .build();
    id.complete(carillon.nodeId());
    start(carillon);
    Runtime.getRuntime().addShutdownHook(new Thread(carillon::close, "close"));
    System.out.println(carillon.nodeId());
    while (System.in.read() >= 0) {}
    Runtime.getRuntime().halt(1);
  }

  /* A node may be started while the database is not there. */
  private static void start(Carillon carillon) throws InterruptedException {
    while (true) {
      try {
        carillon.start();
        return;
      } catch (StoreException e) {
        System.err.println("cannot start yet: " + e.getMessage());
        TimeUnit.MILLISECONDS.sleep(100);
      }
    }
  }

  private static HikariDataSource pool(String[] arguments, int size) {
    var settings = new HikariConfig();
    settings.setJdbcUrl(arguments[0]);
    settings.setUsername(arguments[1]);
    settings.setPassword(arguments[2]);
    settings.setMaximumPoolSize(size);
    settings.setMinimumIdle(1);
    settings.setConnectionTimeout(CONNECTING);
    settings.setInitializationFailTimeout(-1);
    settings.setTransactionIsolation("TRANSACTION_READ_COMMITTED"); // or one bad start is forever
    return new HikariDataSource(settings);
  }

  private static void log(Event event) {
    if (!(event instanceof Event.Planned || event instanceof Event.Started)) {
      System.err.println(event);
    }
  }
}
