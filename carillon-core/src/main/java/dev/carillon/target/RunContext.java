package dev.carillon.target;

import dev.carillon.model.Payload;
import dev.carillon.model.RunId;
import dev.carillon.model.Trigger;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/** What a target knows of the run it works on, and how the two talk. */
public interface RunContext {
  /** Return the identity of the run. */
  RunId id();

  /** Return the key of the schedule; empty for an ad-hoc run. */
  Optional<String> schedule();

  /** Return the version of the schedule; zero for an ad-hoc run. */
  int version();

  /** Return the label the run was sent to. */
  String target();

  /** Return what caused the run. */
  Trigger trigger();

  /** Return the planned time: what to report as "for when", however late it is. */
  Instant slot();

  /** Return when the run was due: the slot, moved by jitter. */
  Instant dueAt();

  /** Return which try this is, from one. */
  int attempt();

  /** Return a key that is the same for every attempt of this run and for no other run. */
  String idempotencyKey();

  /** Return what to work on. */
  Payload payload();

  /** Return the word the creator of the run finds it by. */
  Optional<String> correlation();

  /** Return when the attempt times out; empty if it never does. */
  Optional<Instant> deadline();

  /** Return why to end early; empty while all is well. */
  Optional<StopReason> stop();

  /**
   * Call {@code listener} when there is a reason to end early: at once if there is one already. The
   * thread of a {@link Handler} is interrupted as well.
   */
  void onStop(Consumer<StopReason> listener);

  /** Say how far the work is, in up to 200 characters; shown with the run a moment later. */
  void progress(String text);
}
