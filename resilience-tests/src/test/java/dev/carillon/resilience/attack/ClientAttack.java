package dev.carillon.resilience.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** What hostile clients do to a server. */
enum ClientAttack implements Attack {
  SLOW_HEADERS("headers that come byte by byte on 300 connections") {
    @Override
    public void run(Victim victim, Scale scale) {
      try (var crowd = new Crowd(victim.port())) {
        crowd.open(300, "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ");
        crowd.drip("x", scale.hold());
      }
    }
  },

  SLOW_BODIES_OF_A_VIEWER("300 slow bodies of a caller who may only read") {
    @Override
    public void run(Victim victim, Scale scale) {
      try (var crowd = new Crowd(victim.port())) {
        crowd.open(150, slowBody("PUT /api/v1/schedules/slow", victim.viewer()));
        crowd.open(150, slowBody("POST /api/v1/timings/explain", victim.viewer()));
        crowd.drip(" ", scale.hold());
      }
    }
  },

  SLOW_BODIES("300 slow bodies of a caller who may send them") {
    @Override
    public void run(Victim victim, Scale scale) {
      try (var crowd = new Crowd(victim.port())) {
        crowd.open(300, slowBody("PUT /api/v1/schedules/slow", victim.editor()));
        crowd.drip(" ", scale.hold());
      }
    }
  },

  LARGE_BODIES("64 bodies of 1 MiB at once, deep, long, or of many keys") {
    @Override
    public void run(Victim victim, Scale scale) throws InterruptedException {
      var requests = new ArrayList<byte[]>();
      for (int i = 0; i < 64 * scale.factor(); i++) {
        requests.add(put(victim.editor(), HostileText.json(i)));
      }
      assertRefused(Crowd.ask(victim.port(), requests, 64));
    }
  },

  BLANK_HEADERS("64 requests each with 8,000 blanks in a header, path, query or body") {
    @Override
    public void run(Victim victim, Scale scale) throws InterruptedException {
      for (String request : HostileText.blanks(victim.editor())) {
        var requests = new ArrayList<byte[]>();
        for (int i = 0; i < 64; i++) {
          requests.add(request.getBytes(StandardCharsets.US_ASCII));
        }
        assertAnswered(Crowd.ask(victim.port(), requests, 64));
      }
    }
  },

  CONTROL_CHARACTERS("control characters wherever a client can put them") {
    @Override
    public void run(Victim victim, Scale scale) throws InterruptedException {
      var requests = new ArrayList<byte[]>();
      for (String request : HostileText.controls(victim.editor())) {
        requests.add(request.getBytes(StandardCharsets.UTF_8));
      }
      assertAnswered(Crowd.ask(victim.port(), requests, 8));
      assertThat(victim.node().output().chars())
          .as("what is logged")
          .noneMatch(c -> c != '\n' && Character.isISOControl(c))
          .noneMatch(c -> c == 0x2028 || c == 0x202e);
    }
  },

  MANY_WAITS("1,100 claims of one token that wait") {
    @Override
    public void run(Victim victim, Scale scale) {
      String claim = "{\"worker\": \"w\", \"targets\": [\"press\"], \"wait\": \"PT20S\"}";
      try (var crowd = new Crowd(victim.port())) {
        crowd.open(1_100, request("POST", "/api/v1/workers/claim", victim.editor(), claim));
        hold(scale);
      }
    }
  },

  MANY_CONNECTIONS("2,500 connections without a request") {
    @Override
    public void run(Victim victim, Scale scale) {
      try (var crowd = new Crowd(victim.port())) {
        crowd.open(2_500, "");
        hold(scale);
      }
    }
  },

  HALF_OPEN("500 connections that ask and are half closed, or ask half and are") {
    @Override
    public void run(Victim victim, Scale scale) {
      try (var crowd = new Crowd(victim.port())) {
        crowd.open(250, request("GET", "/api/v1/schedules", victim.viewer(), ""));
        crowd.open(250, "PUT /api/v1/schedules/a HTTP/1.1\r\nHost: x\r\nContent-Len");
        crowd.endOutput();
        hold(scale);
      }
    }
  },

  PIPELINED_FLOOD("32 connections with 1,000 requests each, whose replies nobody reads") {
    @Override
    public void run(Victim victim, Scale scale) {
      try (var crowd = new Crowd(victim.port())) {
        var flood = new Thread(() -> crowd.open(32, FLOOD.repeat(1_000)), "flood");
        flood.start();
        hold(scale);
      }
    }
  },

  SLOW_READERS("200 replies of 100 kB and more that nobody reads") {
    @Override
    public void run(Victim victim, Scale scale) {
      try (var crowd = new Crowd(victim.port())) {
        crowd.open(200, request("GET", "/openapi.json", victim.viewer(), "").repeat(20));
        hold(scale);
      }
    }
  },

  LARGE_PAGES(
      "300 schedules of 256 KiB each, listed with their payloads many times at once by a viewer") {
    @Override
    public void run(Victim victim, Scale scale) throws InterruptedException {
      for (int i = 0; i < 300; i++) {
        String definition =
            "{\"target\": \"press\", \"timing\": {\"every\": \"P1D\"}, \"payload\": {\"x\": \"%s\"}}"
                .formatted("x".repeat(256 * 1024 - 100));
        victim.api().put("/schedules/large-" + i, definition);
      }
      var lists = new ArrayList<byte[]>();
      for (int i = 0; i < 25 * scale.factor(); i++) {
        lists.add(
            request("GET", "/api/v1/schedules?limit=500&include=payload", victim.viewer(), "")
                .replace("Host: x", "Host: x\r\nConnection: close")
                .getBytes(StandardCharsets.US_ASCII));
      }
      assertThat(Crowd.ask(victim.port(), lists, lists.size()))
          .as("some are answered, and the others may try again")
          .contains(200)
          .allMatch(status -> status == 200 || status == 503);
      assertThat(victim.node().output()).doesNotContain("OutOfMemoryError");
    }
  };

  private static final String FLOOD = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";

  private final String words;

  ClientAttack(String words) {
    this.words = words;
  }

  @Override
  public String words() {
    return words;
  }

  private static String slowBody(String line, String token) {
    return "%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"
        .formatted(line, token);
  }

  private static void hold(Scale scale) {
    long end = System.nanoTime() + scale.hold().toNanos();
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }

  private static String request(String method, String path, String token, String body) {
    return HostileText.request(method, path, token, body);
  }

  private static byte[] put(String token, String body) {
    return HostileText.request("PUT", "/api/v1/schedules/a", token, body)
        .replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static void assertAnswered(List<Integer> statuses) {
    assertThat(statuses).isNotEmpty().allMatch(status -> status >= 200 && status < 500);
  }

  private static void assertRefused(List<Integer> statuses) {
    assertThat(statuses)
        .isNotEmpty()
        .allMatch(status -> (status >= 400 && status < 500) || status == 503);
  }
}
