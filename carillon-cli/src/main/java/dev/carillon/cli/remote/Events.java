package dev.carillon.cli.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.Json;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What happens on a server, event by event (server-sent events).
 *
 * <p>A stream that ends, breaks or falls silent is taken up again behind the last event, so what
 * has an id is neither lost nor repeated.
 */
public final class Events implements AutoCloseable {
  private static final Duration RECONNECT_DELAY = Duration.ofMillis(500);

  private final Client client;
  private final Call call;
  private final Consumer<String> notes;
  private EventLines lines;

  /* Of the last event that is complete; what a half-read one says is forgotten. */
  private String last = "";
  private String id = "";
  private String name = "";
  private @Nullable String data;

  /**
   * Something that happened.
   *
   * @param name such as {@code run.started}
   * @param data about it
   */
  public record Event(String name, JsonNode data) {}

  private Events(Client client, Call call, Consumer<String> notes) {
    this.client = client;
    this.call = call.saying("Accept", "text/event-stream");
    this.notes = notes;
    this.lines = connect();
  }

  /**
   * Listen to all that happens once this has returned.
   *
   * @param notes receives a line when the server is gone, and when it is back
   * @throws RefusedException if the server does not let us
   * @throws CommandFailure if there is no server
   */
  public static Events of(Client client, Call call, Consumer<String> notes)
      throws InterruptedException {
    var events = new Events(client, call, notes);
    while (events.last.isEmpty()) { // the stream begins by saying where it stands
      events.read();
    }
    return events;
  }

  /** Return the next event, however long that takes. */
  public Event next() throws InterruptedException {
    while (true) {
      Optional<Event> event = read();
      if (event.isPresent()) {
        return event.get();
      }
    }
  }

  private Optional<Event> read() throws InterruptedException {
    Optional<String> line = lines.next();
    if (line.isEmpty()) {
      reconnect();
      return Optional.empty();
    }
    if (line.get().isEmpty()) {
      return complete();
    }
    int colon = line.get().indexOf(':');
    String value = line.get().substring(colon + 1).strip();
    switch (line.get().substring(0, Math.max(0, colon))) {
      case "id" -> id = value;
      case "event" -> name = value;
      case "data" -> data = value;
      default -> {} // a comment, which is a sign of life
    }
    return Optional.empty();
  }

  private Optional<Event> complete() {
    String complete = data;
    String called = name;
    last = id;
    reset();
    try {
      return complete == null
          ? Optional.empty()
          : Optional.of(new Event(called, Json.read(complete)));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  private void reset() {
    id = last;
    name = "";
    data = null;
  }

  private void reconnect() throws InterruptedException {
    lines.close();
    reset();
    boolean gone = false;
    while (true) {
      TimeUnit.MILLISECONDS.sleep(RECONNECT_DELAY.toMillis());
      try {
        lines = connect();
        if (gone) {
          notes.accept("the server is back");
        }
        return;
      } catch (CommandFailure | RefusedException e) {
        if (e instanceof RefusedException refused && !isTransient(refused)) {
          throw e;
        }
        if (!gone) {
          notes.accept("the server is gone; waiting for it");
        }
        gone = true;
      }
    }
  }

  private static boolean isTransient(RefusedException refused) {
    return refused.status() >= 500 || refused.status() == 429;
  }

  private EventLines connect() {
    return new EventLines(client.open(last.isEmpty() ? call : call.saying("Last-Event-ID", last)));
  }

  /** Stop listening. */
  @Override
  public void close() {
    lines.close();
  }
}
