package dev.carillon.targets.http;

import dev.carillon.model.Payload;
import dev.carillon.model.RunId;
import dev.carillon.model.Trigger;
import dev.carillon.target.Outcome;
import dev.carillon.target.RunContext;
import dev.carillon.target.StopReason;
import dev.carillon.target.Target;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A run in the hands of a target, which keeps what the target says. */
public final class TestRun implements RunContext {
  static final Instant SLOT = Instant.parse("2026-03-01T02:00:00Z");

  private final Optional<String> schedule;
  private final int attempt;
  private final Payload payload;
  private final List<Consumer<StopReason>> stopListeners = new CopyOnWriteArrayList<>();
  private final List<Outcome> outcomes = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Outcome> first = new CompletableFuture<>();
  private volatile Optional<StopReason> stop = Optional.empty();

  private TestRun(Optional<String> schedule, int attempt, Payload payload) {
    this.schedule = schedule;
    this.attempt = attempt;
    this.payload = payload;
  }

  public static TestRun of(String schedule) {
    return new TestRun(Optional.of(schedule), 1, Payload.of("to", "ops"));
  }

  public static TestRun adHoc() {
    return new TestRun(Optional.empty(), 1, Payload.EMPTY);
  }

  TestRun attempt(int attempt) {
    return new TestRun(schedule, attempt, payload);
  }

  public TestRun payload(Payload payload) {
    return new TestRun(schedule, attempt, payload);
  }

  /** Hand the run to {@code target}. */
  public TestRun on(Target target) throws Exception {
    target.start(
        this,
        outcome -> {
          outcomes.add(outcome);
          first.complete(outcome);
        });
    return this;
  }

  /** Wait for the outcome. */
  public Outcome outcome() throws Exception {
    return first.get(30, TimeUnit.SECONDS);
  }

  /** Return all the target has said so far. */
  List<Outcome> outcomes() {
    return outcomes;
  }

  /** Wait for the failure. */
  Outcome.Failed failed() throws Exception {
    return (Outcome.Failed) outcome();
  }

  void stop(StopReason reason) {
    stop = Optional.of(reason);
    stopListeners.forEach(listener -> listener.accept(reason));
  }

  @Override
  public RunId id() {
    return new RunId(7, SLOT, 0);
  }

  @Override
  public Optional<String> schedule() {
    return schedule;
  }

  @Override
  public int version() {
    return schedule.isPresent() ? 3 : 0;
  }

  @Override
  public String target() {
    return "hook";
  }

  @Override
  public Trigger trigger() {
    return schedule.isPresent() ? Trigger.SCHEDULED : Trigger.AD_HOC;
  }

  @Override
  public Instant slot() {
    return SLOT;
  }

  @Override
  public Instant dueAt() {
    return SLOT.plusSeconds(4);
  }

  @Override
  public int attempt() {
    return attempt;
  }

  @Override
  public String idempotencyKey() {
    return "key of " + schedule.orElse("nothing");
  }

  @Override
  public Payload payload() {
    return payload;
  }

  @Override
  public Optional<String> correlation() {
    return Optional.empty();
  }

  @Override
  public Optional<Instant> deadline() {
    return Optional.empty();
  }

  @Override
  public Optional<StopReason> stop() {
    return stop;
  }

  @Override
  public void onStop(Consumer<StopReason> listener) {
    stopListeners.add(listener);
    stop.ifPresent(listener);
  }

  @Override
  public void progress(String text) {}
}
