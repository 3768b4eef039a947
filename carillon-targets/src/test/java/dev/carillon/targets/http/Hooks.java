package dev.carillon.targets.http;

import dev.carillon.targets.EndpointGone;
import dev.carillon.targets.guard.AddressGuard;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** HTTP targets that may call endpoints on this machine. */
public final class Hooks implements AutoCloseable {
  public static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private final HttpSender sender;
  private final List<EndpointGone> gone = new CopyOnWriteArrayList<>();

  Hooks() {
    this(HttpSender.start(AddressGuard.allowing(List.of("127.0.0.1", "::1"))));
  }

  Hooks(HttpSender sender) {
    this.sender = sender;
  }

  /** Return a target with the usual settings, and a timeout that tests can wait for. */
  HttpTarget to(String url) {
    return to(url, Map.of());
  }

  HttpTarget to(String url, Map<String, Object> more) {
    var settings = new HashMap<String, Object>(Map.of("url", url, "timeout", "PT10S"));
    settings.putAll(more);
    return new HttpTarget(
        sender, HttpTargetSettings.parse(settings), InstantSource.system(), gone::add);
  }

  List<EndpointGone> gone() {
    return gone;
  }

  @Override
  public void close() {
    sender.close();
  }
}
