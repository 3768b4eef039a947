package dev.carillon.targets;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a user says about an executor of workflows that is called over HTTP.
 *
 * @param http where and how it is called; always by POST
 * @param completion how it tells that the work is done
 */
public record ExecutorSettings(HttpTargetSettings http, Completion completion) {

  /** How an executor tells that the work is done. */
  public enum Completion {
    /** By taking it: any 2xx is the success of the run. */
    ACCEPTED,
    /** By a report: until it comes, the run stays open. */
    REPORTED;

    /** Return the word that users write. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Return the one that {@code word} names. */
    public static Optional<Completion> named(String word) {
      return Arrays.stream(values()).filter(one -> one.word().equals(word)).findFirst();
    }
  }

  /** Read settings as JSON has them; a refusal names every fault with its pointer. */
  public static ExecutorSettings parse(Map<String, ? extends @Nullable Object> json) {
    return new HttpSettingsReader(json, "workflow").readExecutor();
  }

  /** Return the settings as others may see them, without secrets and the values of headers. */
  public Map<String, Object> shown() {
    Map<String, Object> shown = http.shown();
    shown.put("type", "workflow");
    shown.remove("method");
    shown.put("completion", completion.word());
    return shown;
  }
}
