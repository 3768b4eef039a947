package dev.carillon.targets;

import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a user says about an HTTP endpoint.
 *
 * @param url where it is: http or https, without user and fragment
 * @param method how it is called: POST, PUT or PATCH
 * @param headers what is sent besides, by name; never shown
 * @param secrets what messages are signed with: none, one, or several while they change; never
 *     shown
 * @param timeout how long a call may take, from looking up the name to the end of the answer
 * @param reportTimeout how long a run that the endpoint has accepted may go without a report; empty
 *     for as long as the scheduler is set to wait
 * @param statusUrl where to ask what became of a run whose node was lost; empty if nowhere
 * @param maxConcurrent how many calls a node has open at a time
 */
public record HttpTargetSettings(
    URI url,
    String method,
    Map<String, String> headers,
    List<String> secrets,
    Duration timeout,
    Optional<Duration> reportTimeout,
    Optional<URI> statusUrl,
    int maxConcurrent) {
  /** How long a call may take unless said otherwise. */
  public static final Duration USUAL_TIMEOUT = Duration.ofSeconds(30);

  /** The shortest time a call may be given. */
  public static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(100);

  /** The longest time a call may be given; what takes longer answers 202 and reports later. */
  public static final Duration LONGEST_TIMEOUT = Duration.ofHours(1);

  /** The shortest time in which a report may be due. */
  public static final Duration SHORTEST_REPORT_TIMEOUT = Duration.ofSeconds(1);

  /** The longest time in which a report may be due. */
  public static final Duration LONGEST_REPORT_TIMEOUT = Duration.ofDays(365);

  /** How many calls a node has open unless said otherwise. */
  public static final int USUAL_CONCURRENT = 100;

  /** The most calls a node may have open to one target. */
  public static final int MOST_CONCURRENT = 10_000;

  public HttpTargetSettings {
    headers = Map.copyOf(headers);
    secrets = List.copyOf(secrets);
  }

  /** Read settings as JSON has them; a refusal names every fault with its pointer. */
  public static HttpTargetSettings parse(Map<String, ? extends @Nullable Object> json) {
    return new HttpSettingsReader(json, "http").read();
  }

  /** Return the settings as others may see them, without secrets and the values of headers. */
  public Map<String, Object> shown() {
    var shown = new LinkedHashMap<String, Object>();
    shown.put("type", "http");
    shown.put("url", url.toString());
    shown.put("method", method);
    shown.put("headers", headers.keySet().stream().sorted().toList());
    shown.put("secrets", secrets.size());
    shown.put("timeout", timeout.toString());
    reportTimeout.ifPresent(most -> shown.put("reportTimeout", most.toString()));
    statusUrl.ifPresent(at -> shown.put("statusUrl", at.toString()));
    shown.put("maxConcurrent", maxConcurrent);
    return shown;
  }

  @Override
  public String toString() {
    return "HttpTargetSettings" + shown();
  }
}
