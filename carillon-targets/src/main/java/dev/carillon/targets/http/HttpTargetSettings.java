package dev.carillon.targets.http;

import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an HTTP target.
 *
 * @param url the http or https URL, without user and fragment
 * @param method POST, PUT or PATCH
 * @param headers additional headers by name; their values are never shown
 * @param secrets the secrets that sign messages: none, one, or several during a rotation; never
 *     shown
 * @param timeout how long a call may take, from resolving the name to the end of the response
 * @param reportTimeout how long a run that the endpoint has accepted may go without a report; empty
 *     for the default of the scheduler
 * @param statusUrl the URL that returns the status of a run whose node was lost, if there is one
 * @param maxConcurrent how many calls a node may have open at a time
 * @param template the templates of header values and of the body, if they are templates
 * @param body the body as it was written, if it is not the message event
 */
public record HttpTargetSettings(
    URI url,
    String method,
    Map<String, String> headers,
    List<String> secrets,
    Duration timeout,
    Optional<Duration> reportTimeout,
    Optional<URI> statusUrl,
    int maxConcurrent,
    Optional<MessageTemplate> template,
    Optional<Object> body) {
  /** The default timeout of a call. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

  /** The shortest timeout of a call. */
  public static final Duration MIN_TIMEOUT = Duration.ofMillis(100);

  /** The longest timeout of a call; longer work answers 202 and reports later. */
  public static final Duration MAX_TIMEOUT = Duration.ofHours(1);

  /** The shortest timeout of a report. */
  public static final Duration MIN_REPORT_TIMEOUT = Duration.ofSeconds(1);

  /** The longest timeout of a report. */
  public static final Duration MAX_REPORT_TIMEOUT = Duration.ofDays(365);

  /** The default number of calls that a node may have open. */
  public static final int DEFAULT_CONCURRENT = 100;

  /** The highest number of calls that a node may have open to one target. */
  public static final int MAX_CONCURRENT = 10_000;

  public HttpTargetSettings {
    headers = Map.copyOf(headers);
    secrets = List.copyOf(secrets);
  }

  /** Describe an endpoint that receives message events, with headers as they are. */
  public HttpTargetSettings(
      URI url,
      String method,
      Map<String, String> headers,
      List<String> secrets,
      Duration timeout,
      Optional<Duration> reportTimeout,
      Optional<URI> statusUrl,
      int maxConcurrent) {
    this(
        url,
        method,
        headers,
        secrets,
        timeout,
        reportTimeout,
        statusUrl,
        maxConcurrent,
        Optional.empty(),
        Optional.empty());
  }

  /** Parse settings from JSON; the exception lists every fault with its JSON pointer. */
  public static HttpTargetSettings parse(Map<String, ? extends @Nullable Object> json) {
    return new HttpSettingsReader(json, "http").read();
  }

  /**
   * Return the settings for display, without secrets, header values, the body and the query of
   * URLs.
   *
   * @see #shownToOwner
   */
  public Map<String, Object> shown() {
    Map<String, Object> shown = shownToOwner();
    shown.remove("body");
    shown.put("url", ShownUrl.of(url));
    statusUrl.ifPresent(value -> shown.put("statusUrl", ShownUrl.of(value)));
    return shown;
  }

  /** Return the settings for those who may change them, without secrets and header values. */
  public Map<String, Object> shownToOwner() {
    var shown = new LinkedHashMap<String, Object>();
    shown.put("type", "http");
    shown.put("url", url.toString());
    shown.put("method", method);
    shown.put("headers", headers.keySet().stream().sorted().toList());
    shown.put("secrets", secrets.size());
    shown.put("timeout", timeout.toString());
    reportTimeout.ifPresent(value -> shown.put("reportTimeout", value.toString()));
    statusUrl.ifPresent(value -> shown.put("statusUrl", value.toString()));
    shown.put("maxConcurrent", maxConcurrent);
    template.ifPresent(present -> shown.put("template", true));
    body.ifPresent(json -> shown.put("body", json));
    return shown;
  }

  Duration timeoutUpTo(Duration longest) {
    return timeout.compareTo(longest) < 0 ? timeout : longest;
  }

  @Override
  public String toString() {
    return "HttpTargetSettings" + shown();
  }
}
