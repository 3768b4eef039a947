package dev.carillon.engine;

import dev.carillon.RunDraft;
import dev.carillon.event.Event;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import javax.sql.DataSource;

/** Nodes that share a bell, and a target that takes its time. */
final class Chime implements AutoCloseable {
  final RecordingTarget bell = new RecordingTarget();
  final SlowTarget slow = new SlowTarget();
  final Belfry belfry;

  Chime(DataSource postgres) {
    belfry = new Belfry(postgres);
  }

  /** Start a node. */
  ManualCarillon node() {
    return belfry.node(builder -> builder.asyncTarget("slow", slow).target("bell", bell));
  }

  Instant now() {
    return belfry.clock().instant();
  }

  @Override
  public void close() {
    belfry.close();
  }

  static Run run(ManualCarillon node, RunId id) {
    return node.runs().get(id).orElseThrow();
  }

  /** Enqueue a run, do all there is to do, and return what became of it. */
  static Run ended(ManualCarillon node, RunDraft draft) {
    RunId id = node.runs().enqueue(draft);
    node.runDue();
    return run(node, id);
  }

  static List<RunDraft> many(int count, String target) {
    return Collections.nCopies(count, RunDraft.of(target));
  }

  static <T extends Event> List<T> events(ManualCarillon node, Class<T> type) {
    return node.events().stream().filter(type::isInstance).map(type::cast).toList();
  }
}
