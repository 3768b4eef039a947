package dev.carillon.engine;

import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.Trigger;
import dev.carillon.target.RunContext;
import dev.carillon.target.StopReason;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What a target sees of an attempt. User code may lock this object for as long as it likes: the
 * engine never does.
 */
record AttemptContext(RunAttempt of, Payload payload) implements RunContext {
  AttemptContext(RunAttempt of) {
    this(of, of.claimed().payload());
  }

  private Run run() {
    return of.claimed();
  }

  @Override
  public void progress(String text) {
    of.progress().say(text);
  }

  @Override
  public Optional<StopReason> stop() {
    return of.stop();
  }

  @Override
  public void onStop(Consumer<StopReason> listener) {
    of.onStop(listener);
  }

  @Override
  public Optional<Instant> deadline() {
    return of.deadline();
  }

  @Override
  public RunId id() {
    return run().id();
  }

  @Override
  public Optional<String> schedule() {
    return run().schedule();
  }

  @Override
  public int version() {
    return run().version();
  }

  @Override
  public String target() {
    return run().target();
  }

  @Override
  public Trigger trigger() {
    return run().trigger();
  }

  @Override
  public Instant slot() {
    return run().slot();
  }

  @Override
  public Instant dueAt() {
    return run().dueAt();
  }

  @Override
  public int attempt() {
    return run().attempt();
  }

  @Override
  public String idempotencyKey() {
    return run().idempotencyKey();
  }

  @Override
  public Optional<String> correlation() {
    return run().correlation();
  }
}
