package dev.carillon.targets.http;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a workflow executor that is called over HTTP.
 *
 * @param http the endpoint; always called with POST
 * @param completion what marks the work as done
 */
public record ExecutorSettings(HttpTargetSettings http, Completion completion) {

  /** What marks the work of an executor as done. */
  public enum Completion {
    /** The executor's acceptance: with any 2xx the run has succeeded. */
    ACCEPTED,
    /** A report: the run stays open until it arrives. */
    REPORTED;

    /** Return the name used in settings. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Return the value called {@code word}. */
    public static Optional<Completion> named(String word) {
      return Arrays.stream(values()).filter(one -> one.word().equals(word)).findFirst();
    }
  }

  /** Parse settings from JSON; the exception lists every fault with its JSON pointer. */
  public static ExecutorSettings parse(Map<String, ? extends @Nullable Object> json) {
    return new HttpSettingsReader(json, "workflow").readExecutor();
  }

  /** Return the settings for display, without secrets, header values and the query of URLs. */
  public Map<String, Object> shown() {
    return shown(http.shown());
  }

  /** Return the settings for those who may change them, without secrets and header values. */
  public Map<String, Object> shownToOwner() {
    return shown(http.shownToOwner());
  }

  private Map<String, Object> shown(Map<String, Object> shown) {
    shown.put("type", "workflow");
    shown.remove("method");
    shown.put("completion", completion.word());
    return shown;
  }
}
