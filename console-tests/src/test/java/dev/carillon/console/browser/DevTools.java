package dev.carillon.console.browser;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/** One tab of a browser, over the DevTools protocol. */
final class DevTools implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PATIENCE_SECONDS = 60;

  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
  private final BiConsumer<String, JsonNode> events;
  private final WebSocket socket;
  private CompletableFuture<WebSocket> sent;

  /** Connect to {@code address}; {@code events} hears what the browser tells unasked. */
  DevTools(URI address, BiConsumer<String, JsonNode> events) {
    this.events = events;
    this.socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(address, new Messages())
            .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
            .join();
    this.sent = CompletableFuture.completedFuture(socket);
  }

  /** Send a command with its parameters, name and value in turns, and return the answer. */
  JsonNode send(String method, Object... parameters) {
    return sent(method, parameters).orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
  }

  /** Send a command without waiting for what comes of it. */
  void tell(String method, Object... parameters) {
    var unused = sent(method, parameters);
  }

  private CompletableFuture<JsonNode> sent(String method, Object... parameters) {
    int id = ids.incrementAndGet();
    ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
    ObjectNode values = message.putObject("params");
    for (int i = 0; i < parameters.length; i += 2) {
      values.set((String) parameters[i], JSON.valueToTree(parameters[i + 1]));
    }
    var answer = new CompletableFuture<JsonNode>();
    answers.put(id, answer);
    synchronized (this) {
      sent = sent.thenCompose(ready -> ready.sendText(message.toString(), true));
    }
    return answer;
  }

  private void heard(String text) {
    JsonNode message;
    try {
      message = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
    if (!message.has("id")) {
      events.accept(message.path("method").asText(), message.path("params"));
      return;
    }
    CompletableFuture<JsonNode> answer = answers.remove(message.path("id").asInt());
    if (answer == null) {
      return;
    }
    if (message.has("error")) {
      answer.completeExceptionally(new IllegalStateException(message.path("error").toString()));
    } else {
      answer.complete(message.path("result"));
    }
  }

  @Override
  public void close() {
    socket.abort();
  }

  /** Puts the parts of messages together. */
  private final class Messages implements WebSocket.Listener {
    private final StringBuilder parts = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      parts.append(part);
      if (last) {
        String whole = parts.toString();
        parts.setLength(0);
        heard(whole);
      }
      from.request(1);
      return CompletableFuture.completedFuture(null);
    }
  }
}
