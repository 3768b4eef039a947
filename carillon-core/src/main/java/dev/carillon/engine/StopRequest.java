package dev.carillon.engine;

import dev.carillon.target.StopReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first reason for which an attempt is asked to end early, and the listeners that wait for one.
 */
final class StopRequest {
  private static final Logger LOG = LoggerFactory.getLogger(StopRequest.class);

  private @Nullable StopReason reason;
  private String text = "";
  private List<Consumer<StopReason>> listeners = new ArrayList<>(0);

  /** Ask for the end; return false if that was done before. */
  synchronized boolean make(StopReason first, String words) {
    if (reason != null) {
      return false;
    }
    reason = first;
    text = words;
    return true;
  }

  synchronized Optional<StopReason> reason() {
    return Optional.ofNullable(reason);
  }

  /** Return the reason in words; empty if there is none. */
  synchronized String text() {
    return text;
  }

  /** Call {@code listener} when the request is made: at once if it was. */
  void onStop(Consumer<StopReason> listener) {
    StopReason already;
    synchronized (this) {
      already = reason;
      if (already == null) {
        listeners.add(listener);
      }
    }
    if (already != null) {
      listener.accept(already);
    }
  }

  /** Call the listeners of {@code run}, each once, on a thread of the engine. */
  void callListeners(Object run) {
    List<Consumer<StopReason>> called;
    StopReason made;
    synchronized (this) {
      called = listeners;
      listeners = new ArrayList<>(0);
      made = reason;
    }
    if (made != null) {
      called.forEach(listener -> call(listener, made, run));
    }
  }

  private static void call(Consumer<StopReason> listener, StopReason reason, Object run) {
    try {
      listener.accept(reason);
    } catch (Throwable e) { // user code; other listeners are called all the same
      ThrowableText.log(
          LOG, "a target failed when asked to stop: run=" + run + " reason=" + reason, e);
    }
    Loop.forgetInterrupt();
  }
}
