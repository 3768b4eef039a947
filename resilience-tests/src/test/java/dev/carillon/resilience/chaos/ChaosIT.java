package dev.carillon.resilience.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.carillon.resilience.cluster.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * Real servers on a real PostgreSQL keep their promises under faults, by a journal outside.
 *
 * <p>{@code -Pchaos} tries every fault. {@code chaos.faults} names the ones to try, {@code
 * chaos.trials} says how often, {@code chaos.hold} for how many seconds, {@code chaos.slack} how
 * many seconds a slow machine is forgiven, and {@code chaos.seed} repeats the choices of a run.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChaosIT {
  private static final Set<Fault> SHORT_FORM =
      EnumSet.of(
          Fault.KILL,
          Fault.FREEZE_PAST_LEASE,
          Fault.LOST_ACKNOWLEDGEMENTS,
          Fault.TERMINATED_BACKENDS,
          Fault.CRASH);

  private final boolean all = System.getProperty("chaos.form", "short").equals("long");
  private final int trials = Integer.getInteger("chaos.trials", all ? 3 : 1);
  private final Duration hold = Duration.ofSeconds(Integer.getInteger("chaos.hold", all ? 8 : 2));
  private final Duration slack =
      Duration.ofSeconds(Integer.getInteger("chaos.slack", all ? 5 : 15));
  private final long seed = Long.getLong("chaos.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private final FaultMatrix matrix = new FaultMatrix();
  private @Nullable Stage plain;
  private int count;

  @BeforeAll
  void needPostgres() {
    assumeTrue(PostgresServer.isInstalled(), "Debian's postgresql-15 is not installed");
  }

  @TestFactory
  List<DynamicTest> under_every_fault_each_slot_becomes_one_run_or_a_recorded_decision() {
    var tests = new ArrayList<DynamicTest>();
    for (Fault fault : chosen()) {
      tests.add(DynamicTest.dynamicTest(fault.words(), () -> run(fault)));
    }
    return tests;
  }

  private Set<Fault> chosen() {
    String names = System.getProperty("chaos.faults", "");
    if (names.isBlank()) {
      return all ? EnumSet.allOf(Fault.class) : SHORT_FORM;
    }
    var chosen = EnumSet.noneOf(Fault.class);
    for (String name : names.split(",", -1)) {
      chosen.add(Fault.valueOf(name.strip().toUpperCase(Locale.ROOT)));
    }
    return chosen;
  }

  private void run(Fault fault) throws Exception {
    assumeTrue(fault.setup().missing().isEmpty(), () -> fault.setup().missing().orElseThrow());
    for (int i = 0; i < trials; i++) {
      Trial trial = fault.setup() == Setup.PLAIN ? onPlainStage(fault) : onStageOfItsOwn(fault);
      matrix.add(fault, trial);
      assertThat(trial.findings().broken()).as("%s with -Dchaos.seed=%s", fault, seed).isEmpty();
    }
  }

  private Trial onPlainStage(Fault fault) throws Exception {
    if (plain == null) {
      plain = Stage.open(Setup.PLAIN);
    }
    @Nullable Trial trial = null;
    try {
      trial = trial(fault, plain);
      return trial;
    } finally {
      /* What a failure left behind must not count against the next fault. */
      if (trial == null || !trial.findings().broken().isEmpty()) {
        closePlainStage();
      }
    }
  }

  private Trial onStageOfItsOwn(Fault fault) throws Exception {
    try (Stage stage = Stage.open(fault.setup())) {
      return trial(fault, stage);
    }
  }

  private Trial trial(Fault fault, Stage stage) throws Exception {
    return Trial.run(fault, stage, "trial-" + ++count, hold, slack, random);
  }

  private void closePlainStage() {
    if (plain != null) {
      plain.close();
      plain = null;
    }
  }

  @AfterAll
  void end() throws IOException {
    closePlainStage();
    write();
  }

  private void write() throws IOException {
    Path file = Path.of("target", "fault-matrix.md");
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, matrix.markdown());
  }
}
