package dev.carillon.targets.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.carillon.fixture.Await;
import dev.carillon.target.Outcome;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Many slow endpoints at once. */
class HttpCrowdTest {
  private static final int CALLS = 2_000;
  private static final int MAX_THREADS = 50;

  @Test
  void two_thousand_open_calls_need_few_threads() throws Exception {
    Queue<HttpExchange> held = new ConcurrentLinkedQueue<>();
    try (var endpoint = Endpoint.answering(held::add);
        var hooks = new Hooks()) {
      HttpTarget slow = hooks.to(endpoint.url(), Map.of("timeout", "PT1M", "maxConcurrent", CALLS));
      List<TestRun> runs = new ArrayList<>();
      for (int i = 0; i < CALLS; i++) {
        runs.add(TestRun.of("nightly").on(slow));
      }
      Await.until("all calls", () -> held.size() == CALLS);
      int threads = ManagementFactory.getThreadMXBean().getThreadCount();

      assertThat(threads).isLessThan(MAX_THREADS);
      assertThat(runs).allMatch(run -> run.outcomes().isEmpty());
      for (HttpExchange exchange : held) {
        Endpoint.reply(exchange, 200, "");
      }
      for (TestRun run : runs) {
        assertThat(run.outcome()).isEqualTo(Outcome.succeeded());
      }
    }
  }
}
