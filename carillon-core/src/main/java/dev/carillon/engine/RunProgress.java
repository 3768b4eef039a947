package dev.carillon.engine;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a target said last about how far its work is. */
final class RunProgress {
  private static final int MAX_LENGTH = 200;

  private @Nullable String last;
  private boolean isNew;

  synchronized void say(String text) {
    String cut = text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH - 1) + "…";
    last = cut.replace('\0', ' ');
    isNew = true;
  }

  synchronized Optional<String> last() {
    return Optional.ofNullable(last);
  }

  /** Return the same, if it was said since this was asked. */
  synchronized Optional<String> takeNew() {
    boolean wasNew = isNew;
    isNew = false;
    return wasNew ? last() : Optional.empty();
  }
}
