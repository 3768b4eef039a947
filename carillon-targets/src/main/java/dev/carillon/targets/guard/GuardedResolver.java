package dev.carillon.targets.guard;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.SocketAddressResolver;
import org.jspecify.annotations.Nullable;

/**
 * Resolves a host name once and returns only the addresses that {@link AddressGuard} has checked,
 * so that a second lookup cannot return others.
 */
public final class GuardedResolver implements SocketAddressResolver {
  private final AddressGuard guard;
  private final AddressLookup lookup;
  private final Executor blockingTasks;

  /* Calls that wait for the same name share one lookup, so that a slow name occupies one thread. */
  private final Map<String, CompletableFuture<List<InetAddress>>> lookups =
      new ConcurrentHashMap<>();

  public GuardedResolver(AddressGuard guard, AddressLookup lookup, Executor blockingTasks) {
    this.guard = guard;
    this.lookup = lookup;
    this.blockingTasks = blockingTasks;
  }

  @Override
  public void resolve(
      String host,
      int port,
      Map<String, Object> context,
      Promise<List<InetSocketAddress>> promise) {
    String name = HostText.normalize(host);
    var unused =
        addresses(name)
            .whenComplete(
                (addresses, failure) -> {
                  if (addresses == null) {
                    promise.failed(failure);
                  } else {
                    answer(name, port, addresses, promise);
                  }
                });
  }

  private void answer(
      String name,
      int port,
      List<InetAddress> addresses,
      Promise<List<InetSocketAddress>> promise) {
    List<InetSocketAddress> socketAddresses = new ArrayList<>();
    try {
      for (InetAddress address : guard.check(name, port, addresses)) {
        // With the name, so that no reverse lookup follows.
        socketAddresses.add(
            new InetSocketAddress(InetAddress.getByAddress(name, address.getAddress()), port));
      }
      if (socketAddresses.isEmpty()) {
        throw new UnknownHostException(name);
      }
    } catch (AddressRefusedException | UnknownHostException e) {
      promise.failed(e);
      return;
    }
    promise.succeeded(socketAddresses);
  }

  private CompletableFuture<List<InetAddress>> addresses(String name) {
    var pending = new CompletableFuture<List<InetAddress>>();
    CompletableFuture<List<InetAddress>> earlier = lookups.putIfAbsent(name, pending);
    if (earlier != null) {
      return earlier;
    }
    try {
      blockingTasks.execute(() -> lookUp(name, pending));
    } catch (RejectedExecutionException closed) {
      complete(name, pending, null, closed);
    }
    return pending;
  }

  private void lookUp(String name, CompletableFuture<List<InetAddress>> pending) {
    try {
      complete(name, pending, lookup.find(name), null);
    } catch (UnknownHostException | RuntimeException e) {
      complete(name, pending, null, e);
    }
  }

  private void complete(
      String name,
      CompletableFuture<List<InetAddress>> pending,
      @Nullable List<InetAddress> found,
      @Nullable Exception failure) {
    lookups.remove(name, pending);
    if (found != null) {
      pending.complete(found);
    } else if (failure != null) {
      pending.completeExceptionally(failure);
    }
  }
}
