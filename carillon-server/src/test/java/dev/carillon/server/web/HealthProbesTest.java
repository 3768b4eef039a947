package dev.carillon.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HealthProbesTest {
  private static final Request ANY = Request.of("GET", "/");

  private static Reply ready(HealthProbes probes) {
    return ((Reply.Later) probes.ready(ANY).content()).reply().join();
  }

  @Test
  void a_process_that_answers_lives() {
    assertThat(new HealthProbes(() -> List.of("anything")).live(ANY))
        .isEqualTo(Reply.json(200, Map.of("status", "ok")));
  }

  @Test
  void without_reasons_against_it_the_server_is_ready() {
    assertThat(ready(new HealthProbes(List::of)))
        .isEqualTo(Reply.json(200, Map.of("status", "ready")));
  }

  @Test
  void reasons_against_readiness_are_listed() {
    var reasons = List.of("one", "two");

    assertThat(ready(new HealthProbes(() -> reasons)))
        .isEqualTo(Reply.json(503, Map.of("status", "not ready", "reasons", reasons)));
  }
}
