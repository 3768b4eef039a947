package dev.carillon.resilience.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.carillon.fixture.Await;
import dev.carillon.resilience.cluster.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * A real server under hostile clients and endpoints: its health answers within a second, its heap
 * is bounded, nothing is stuck.
 *
 * <p>{@code -Pattack} does more of each. {@code attack.only} names the attacks to do, {@code
 * attack.hold} says for how many seconds each is kept up, {@code attack.slack} how many
 * milliseconds a busy machine is forgiven.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AttackIT {
  private static final Duration CALM = Duration.ofSeconds(20);

  private final boolean all = System.getProperty("attack.form", "short").equals("long");
  private final Attack.Scale scale =
      new Attack.Scale(
          Duration.ofSeconds(Integer.getInteger("attack.hold", all ? 40 : 3)), all ? 8 : 1);
  private final Duration slack = Duration.ofMillis(Integer.getInteger("attack.slack", 0));
  private final StringBuilder report = new StringBuilder(Seen.head());
  private @Nullable Victim victim;

  @BeforeAll
  void needPostgres() {
    assumeTrue(PostgresServer.isInstalled(), "Debian's postgresql-15 is not installed");
  }

  @TestFactory
  List<DynamicTest> under_every_attack_the_server_keeps_its_budgets() {
    List<String> only = List.of(System.getProperty("attack.only", "").split(",", -1));
    var tests = new ArrayList<DynamicTest>();
    Stream.concat(Stream.of(EndpointAttack.values()), Stream.of(ClientAttack.values()))
        .filter(attack -> only.contains("") || only.contains(attack.toString()))
        .forEach(attack -> tests.add(DynamicTest.dynamicTest(attack.words(), () -> run(attack))));
    return tests;
  }

  private void run(Attack attack) throws Exception {
    Victim server = victim();
    Instant begun = Instant.now();
    Seen seen;
    try (var probe = new HealthProbe(server.port())) {
      attack.run(server, scale);
      Await.within(CALM, () -> server.api().status("/api/v1/schedules", CALM) == 200);
      Await.within(CALM, () -> server.running() == 0);
      seen = Seen.after(server, probe, begun);
    }
    report.append(seen.row(attack.words()));
    assertThat(seen.broken(slack)).as(attack.words()).isEmpty();
    assertThat(server.api().status("/api/v1/schedules", CALM)).isEqualTo(200);
    assertThat(server.api().status("/readyz", CALM)).isEqualTo(200);
  }

  private Victim victim() throws IOException {
    @Nullable Victim there = victim;
    if (there == null) {
      there = Victim.start();
      victim = there;
    }
    return there;
  }

  @AfterAll
  void end() throws IOException {
    if (victim != null) {
      victim.close();
    }
    Path file = Path.of("target", "attack.md");
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, report.toString());
  }
}
