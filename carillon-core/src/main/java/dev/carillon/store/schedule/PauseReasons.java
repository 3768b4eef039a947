package dev.carillon.store.schedule;

import dev.carillon.model.Pause;
import java.util.Optional;

/** Pauses by the engine, with their reasons. */
final class PauseReasons {
  private PauseReasons() {}

  static Pause braked(int failures, String last) {
    return pause(
        (failures == 1 ? "1 failure" : failures + " failures in a row")
            + (last.isBlank() ? "" : ", the last: " + last));
  }

  static Pause unplannable(String problem) {
    return pause("cannot be planned: " + problem);
  }

  private static Pause pause(String reason) {
    return new Pause(shortened(reason.replace('\0', ' ')), Optional.empty());
  }

  /* Half of a surrogate pair cannot be stored. */
  private static String shortened(String text) {
    int most = Pause.MAX_REASON - 1;
    if (text.length() <= most) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    return text.substring(0, end) + "…";
  }
}
