package dev.carillon.model;

import dev.carillon.time.InvalidValueException;
import java.util.Optional;

/**
 * Which schedules are wanted, by key in ascending order. Retired ones only if asked for.
 *
 * @param status with this status
 * @param completed that had no slot left, or that a client retired; either if empty
 * @param target with this target
 * @param tag with this tag
 * @param text with this text in key, target or description, in capitals or not
 * @param payload whose payload contains this one
 * @param after with keys after this one, the last of the page before
 * @param limit at most so many
 * @param scope that it reaches
 */
public record ScheduleFilter(
    Optional<ScheduleStatus> status,
    Optional<Boolean> completed,
    Optional<String> target,
    Optional<String> tag,
    Optional<String> text,
    Payload payload,
    Optional<String> after,
    int limit,
    Scope scope) {
  /** The most schedules of one page. */
  public static final int MAX_LIMIT = 500;

  public ScheduleFilter {
    StorableText.check("target", target);
    StorableText.check("tag", tag);
    StorableText.check("text", text);
    StorableText.checkStorable("after", after);
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new InvalidValueException(
          "limit must be from 1 to " + MAX_LIMIT + "; was " + limit + "; page with after");
    }
  }

  /** Want the first fifty of all that are not retired. */
  public static ScheduleFilter all() {
    return new ScheduleFilter(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Payload.EMPTY,
        Optional.empty(),
        50,
        Scope.ALL);
  }

  /** Want schedules whose payload contains {@code payload}. */
  public static ScheduleFilter byPayload(Payload payload) {
    return all().payload(payload);
  }

  /** Want schedules with {@code status}. */
  public ScheduleFilter status(ScheduleStatus status) {
    return new ScheduleFilter(
        Optional.of(status), completed, target, tag, text, payload, after, limit, scope);
  }

  /** Want retired schedules that had no slot left, or those that a client retired. */
  public ScheduleFilter completed(boolean completed) {
    return new ScheduleFilter(
        Optional.of(ScheduleStatus.RETIRED),
        Optional.of(completed),
        target,
        tag,
        text,
        payload,
        after,
        limit,
        scope);
  }

  /** Want schedules with {@code target}. */
  public ScheduleFilter target(String target) {
    return new ScheduleFilter(
        status, completed, Optional.of(target), tag, text, payload, after, limit, scope);
  }

  /** Want schedules with {@code tag}. */
  public ScheduleFilter tag(String tag) {
    return new ScheduleFilter(
        status, completed, target, Optional.of(tag), text, payload, after, limit, scope);
  }

  /** Want schedules with {@code text} in key, target or description. */
  public ScheduleFilter text(String text) {
    return new ScheduleFilter(
        status, completed, target, tag, Optional.of(text), payload, after, limit, scope);
  }

  /** Want schedules whose payload contains {@code payload}. */
  public ScheduleFilter payload(Payload payload) {
    return new ScheduleFilter(status, completed, target, tag, text, payload, after, limit, scope);
  }

  /** Want schedules with keys after {@code key}. */
  public ScheduleFilter after(String key) {
    return new ScheduleFilter(
        status, completed, target, tag, text, payload, Optional.of(key), limit, scope);
  }

  /** Want at most {@code limit} schedules. */
  public ScheduleFilter limit(int limit) {
    return new ScheduleFilter(status, completed, target, tag, text, payload, after, limit, scope);
  }

  /** Want schedules that {@code reached} reaches. */
  public ScheduleFilter within(Scope reached) {
    return reached.isAll()
        ? this
        : new ScheduleFilter(status, completed, target, tag, text, payload, after, limit, reached);
  }

  /** Tell whether this asks for anything but all of them that the scope reaches. */
  public boolean narrows() {
    return status.isPresent()
        || target.isPresent()
        || tag.isPresent()
        || text.isPresent()
        || !payload.equals(Payload.EMPTY);
  }
}
