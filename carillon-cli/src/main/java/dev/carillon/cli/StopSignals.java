package dev.carillon.cli;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * SIGINT and SIGTERM: the first ends the process in order, another one at once.
 *
 * <p>Java itself ignores the second. Its signals are looked up by name, because a compiler warns of
 * them, and because not every Java has them: without, the first still works.
 */
final class StopSignals {
  private static final Map<String, Integer> NUMBERS = Map.of("INT", 2, "TERM", 15);
  private static final int EXIT_CODE_BASE = 128;

  private final AtomicReference<@Nullable String> first = new AtomicReference<>();
  private boolean handled = true;

  static StopSignals handle() {
    var signals = new StopSignals();
    NUMBERS.keySet().forEach(signals::handle);
    return signals;
  }

  private void handle(String name) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object ours =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "handle" -> {
                      received(name);
                      yield null;
                    }
                    case "equals" -> arguments != null && proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> "stop on SIG" + name;
                  });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), ours);
    } catch (ReflectiveOperationException | RuntimeException e) {
      handled = false;
    }
  }

  private void received(String name) {
    int code = EXIT_CODE_BASE + NUMBERS.getOrDefault(name, 0);
    if (first.compareAndSet(null, name)) {
      System.exit(code);
    } else {
      Runtime.getRuntime().halt(code);
    }
  }

  /** Return how to stop at once, in words; empty if nothing but killing does. */
  Optional<String> howToStopAtOnce() {
    return Optional.ofNullable(first.get())
        .filter(name -> handled)
        .map(name -> name.equals("INT") ? "Ctrl-C again" : "a second signal");
  }
}
