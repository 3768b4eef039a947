package dev.carillon.resilience.cluster;

import dev.carillon.fixture.FaultProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Nodes on one PostgreSQL, each behind a proxy of its own. */
public final class Cluster implements AutoCloseable {
  private PostgresServer postgres;
  private final List<FaultProxy> proxies = new ArrayList<>();
  private final List<NodeProcess> nodes = new ArrayList<>();

  private Cluster(PostgresServer postgres) {
    this.postgres = postgres;
  }

  /** Start {@code count} nodes on {@code postgres} and wait until all listen. */
  public static Cluster start(
      PostgresServer postgres,
      Path folder,
      int count,
      List<String> jvm,
      Map<String, String> settings) {
    var cluster = new Cluster(postgres);
    try {
      Files.createDirectories(folder);
      for (int i = 1; i <= count; i++) {
        var proxy = FaultProxy.before(postgres.port());
        cluster.proxies.add(proxy);
        cluster.nodes.add(new NodeProcess("node-" + i, folder, proxy.port(), jvm, settings));
      }
      cluster.nodes.forEach(NodeProcess::start);
      cluster.nodes.forEach(NodeProcess::awaitStart);
      return cluster;
    } catch (IOException e) {
      cluster.close();
      throw new UncheckedIOException(e);
    } catch (RuntimeException | AssertionError e) {
      cluster.close();
      throw e;
    }
  }

  public PostgresServer postgres() {
    return postgres;
  }

  /** Let the nodes find another PostgreSQL at the address that they know. */
  public void moveTo(PostgresServer next) {
    postgres = next;
    proxies.forEach(proxy -> proxy.moveTo(next.port()));
  }

  /** Return the nodes; some may be dead. */
  public List<NodeProcess> nodes() {
    return List.copyOf(nodes);
  }

  /** Return the proxies, in the order of the nodes. */
  public List<FaultProxy> proxies() {
    return List.copyOf(proxies);
  }

  /** Return the API of the first node that is alive. */
  public Api api() {
    return nodes.stream()
        .filter(NodeProcess::isAlive)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no node is alive"))
        .api();
  }

  /** Stop the nodes; PostgreSQL goes on. */
  @Override
  public void close() {
    proxies.forEach(FaultProxy::release);
    nodes.forEach(NodeProcess::close);
    proxies.forEach(FaultProxy::close);
  }
}
