package dev.carillon.engine;

import java.time.Duration;
import java.time.Instant;

/** Starts runs that were claimed a moment before they are due, when they are. */
final class LaunchingStep implements Step {
  private final Dispatcher dispatcher;
  private final Duration poll;

  LaunchingStep(Dispatcher dispatcher, Duration poll) {
    this.dispatcher = dispatcher;
    this.poll = poll;
  }

  @Override
  public Duration run(Instant now) {
    dispatcher.launchDue(now);
    return dispatcher
        .nextDue()
        .map(due -> Step.shorter(Duration.between(now, due), poll))
        .orElse(poll);
  }
}
