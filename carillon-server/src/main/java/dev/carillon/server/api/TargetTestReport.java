package dev.carillon.server.api;

import dev.carillon.model.Failure;
import dev.carillon.server.read.ContractText;
import dev.carillon.target.Outcome;
import dev.carillon.targets.http.ExecutorSettings;
import dev.carillon.targets.http.TestDelivery;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What came of testing a target.
 *
 * @param result in a word
 * @param status the HTTP status, if something answered
 * @param took how long that took, if something was sent
 * @param failure what a run would fail with
 * @param detail what that means, in words
 */
public record TargetTestReport(
    Result result,
    Optional<Integer> status,
    Optional<Duration> took,
    Optional<Failure> failure,
    String detail) {

  /** What came of it. */
  public enum Result {
    /** A run would succeed. */
    SUCCEEDED,
    /** A run would be taken, and reported on later. */
    ACCEPTED,
    /** A run would fail. */
    FAILED,
    /** Nothing could be sent from here. */
    NOT_TESTED
  }

  /** Report on a message that was sent. */
  public static TargetTestReport of(TestDelivery delivery) {
    Optional<Integer> status = delivery.status();
    Optional<Duration> took = Optional.of(delivery.took());
    if (delivery.outcome() instanceof Outcome.Failed failed) {
      return new TargetTestReport(
          Result.FAILED,
          status,
          took,
          Optional.of(failed.failure()),
          failed.retryable() ? "a run would fail, and may be tried again" : "a run would fail");
    }
    return delivery.outcome() instanceof Outcome.Accepted
        ? new TargetTestReport(
            Result.ACCEPTED, status, took, Optional.empty(), "a run would wait for a report")
        : new TargetTestReport(
            Result.SUCCEEDED, status, took, Optional.empty(), "a run would succeed");
  }

  /** Report on a message that was sent to an executor, whose every 2xx means {@code completion}. */
  public static TargetTestReport of(TestDelivery delivery, ExecutorSettings.Completion completion) {
    boolean taken = delivery.status().filter(status -> status >= 200 && status < 300).isPresent();
    if (!taken) {
      return of(delivery);
    }
    Outcome outcome =
        completion == ExecutorSettings.Completion.ACCEPTED
            ? Outcome.succeeded()
            : Outcome.accepted();
    return of(new TestDelivery(outcome, delivery.status(), delivery.took()));
  }

  /** Report that runs succeed without anything being sent. */
  public static TargetTestReport succeeded(String detail) {
    return unsent(Result.SUCCEEDED, Optional.empty(), detail);
  }

  /** Report that runs fail before anything is sent. */
  public static TargetTestReport failed(Failure failure) {
    return unsent(Result.FAILED, Optional.of(failure), "a run would fail");
  }

  /** Report why nothing was sent. */
  public static TargetTestReport notTested(String why) {
    return unsent(Result.NOT_TESTED, Optional.empty(), why);
  }

  private static TargetTestReport unsent(Result result, Optional<Failure> failure, String detail) {
    return new TargetTestReport(result, Optional.empty(), Optional.empty(), failure, detail);
  }

  Map<String, @Nullable Object> view(String label, String type) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("label", label);
    view.put("type", type);
    view.put("result", ContractText.word(result));
    view.put("status", status.orElse(null));
    view.put("latencyMs", took.map(Duration::toMillis).orElse(null));
    view.put("failure", failure.map(RunView::of).orElse(null));
    view.put("detail", detail);
    return view;
  }
}
