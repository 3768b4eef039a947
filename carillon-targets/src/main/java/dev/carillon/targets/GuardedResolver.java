package dev.carillon.targets;

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
 * Finds where to connect to: looks a name up once, has every address checked, and hands out those
 * very addresses, so that a second lookup cannot give others.
 */
final class GuardedResolver implements SocketAddressResolver {
  private final AddressGuard guard;
  private final Lookup lookup;
  private final Executor aside;

  /* One lookup serves all who wait for the name, so that a slow name keeps one thread, not all. */
  private final Map<String, CompletableFuture<List<InetAddress>>> underWay =
      new ConcurrentHashMap<>();

  GuardedResolver(AddressGuard guard, Lookup lookup, Executor aside) {
    this.guard = guard;
    this.lookup = lookup;
    this.aside = aside;
  }

  @Override
  public void resolve(
      String host,
      int port,
      Map<String, Object> context,
      Promise<List<InetSocketAddress>> promise) {
    String name = Hosts.plain(host);
    var unused =
        found(name)
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
    List<InetSocketAddress> places = new ArrayList<>();
    try {
      for (InetAddress address : guard.check(name, port, addresses)) {
        // Named, so that nothing asks for the name of the address later.
        places.add(
            new InetSocketAddress(InetAddress.getByAddress(name, address.getAddress()), port));
      }
      if (places.isEmpty()) {
        throw new UnknownHostException(name);
      }
    } catch (AddressRefusedException | UnknownHostException e) {
      promise.failed(e);
      return;
    }
    promise.succeeded(places);
  }

  private CompletableFuture<List<InetAddress>> found(String name) {
    var mine = new CompletableFuture<List<InetAddress>>();
    CompletableFuture<List<InetAddress>> earlier = underWay.putIfAbsent(name, mine);
    if (earlier != null) {
      return earlier;
    }
    try {
      aside.execute(() -> look(name, mine));
    } catch (RejectedExecutionException closed) {
      end(name, mine, null, closed);
    }
    return mine;
  }

  private void look(String name, CompletableFuture<List<InetAddress>> mine) {
    try {
      end(name, mine, lookup.find(name), null);
    } catch (UnknownHostException | RuntimeException e) {
      end(name, mine, null, e);
    }
  }

  private void end(
      String name,
      CompletableFuture<List<InetAddress>> mine,
      @Nullable List<InetAddress> found,
      @Nullable Exception failure) {
    underWay.remove(name, mine);
    if (found != null) {
      mine.complete(found);
    } else if (failure != null) {
      mine.completeExceptionally(failure);
    }
  }
}
