package dev.carillon.resilience.attack;

import dev.carillon.fixture.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/** What endpoints do to a server that calls them; every call must end nevertheless. */
enum EndpointAttack implements Attack, HostileEndpoint.Manner {
  INTERIM_ANSWERS("an endpoint that sends interim answers for ever") {
    @Override
    public void answer(Socket socket) throws IOException {
      while (true) {
        write(socket, "HTTP/1.1 199 Soon\r\n\r\n");
        pause();
      }
    }
  },

  ENDLESS_BODY("an endpoint whose answer never ends") {
    @Override
    public void answer(Socket socket) throws IOException {
      write(socket, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      while (true) {
        write(socket, "10000\r\n" + "x".repeat(0x10000) + "\r\n");
      }
    }
  },

  DRIP("an endpoint that answers byte by byte") {
    @Override
    public void answer(Socket socket) throws IOException {
      write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
      while (true) {
        write(socket, "x");
        pause();
      }
    }
  },

  LYING_LENGTH("an endpoint that announces more than it sends") {
    @Override
    public void answer(Socket socket) throws IOException {
      write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 4000000000\r\n\r\nshort");
      socket.close();
    }
  },

  RESET("an endpoint that resets the connection") {
    @Override
    public void answer(Socket socket) throws IOException {
      socket.setSoLinger(true, 0);
      socket.close();
    }
  },

  SILENT("an endpoint that never answers") {
    @Override
    public void answer(Socket socket) {
      // the connection stays open
    }
  },

  HUGE_HEADERS("an endpoint whose headers never end") {
    @Override
    public void answer(Socket socket) throws IOException {
      write(socket, "HTTP/1.1 200 OK\r\n");
      while (true) {
        write(socket, "X-Huge: " + "x".repeat(4_000) + "\r\n");
      }
    }
  };

  private static final int RUNS = 20;
  private static final Duration ENDED = Duration.ofSeconds(20);

  private final String words;

  EndpointAttack(String words) {
    this.words = words;
  }

  @Override
  public String words() {
    return words;
  }

  @Override
  public void run(Victim victim, Scale scale) throws IOException {
    String label = name().toLowerCase(Locale.ROOT).replace('_', '-');
    try (var endpoint = new HostileEndpoint(this)) {
      victim
          .api()
          .put(
              "/targets/" + label,
              "{\"type\": \"http\", \"url\": \"%s\", \"timeout\": \"PT1S\"}"
                  .formatted(endpoint.url()));
      for (int i = 0; i < RUNS * scale.factor(); i++) {
        victim
            .api()
            .post("/runs", "{\"target\": \"%s\", \"retry\": {\"attempts\": 1}}".formatted(label));
      }
      if (!Await.within(ENDED, () -> isOver(victim, label))) {
        throw new AssertionError("runs of %s are not over".formatted(label));
      }
    }
  }

  private static boolean isOver(Victim victim, String label) {
    for (String state : new String[] {"pending", "running"}) {
      if (!victim
          .api()
          .get("/runs?target=%s&state=%s".formatted(label, state))
          .path("items")
          .isEmpty()) {
        return false;
      }
    }
    return true;
  }

  private static void write(Socket socket, String text) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  private static void pause() {
    LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
  }
}
