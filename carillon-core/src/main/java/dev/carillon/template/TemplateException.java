package dev.carillon.template;

import dev.carillon.model.Failure;
import dev.carillon.model.Payload;

/** Signals a template that is valid but cannot be filled in for one run. */
public final class TemplateException extends RuntimeException {
  /** The code of the failure of a run whose payload or message would be too long. */
  public static final String TOO_LARGE = "template_too_large";

  /** The code of the failure of a run whose templates cannot be filled in. */
  public static final String FAILED = "template_failed";

  private final String code;

  public TemplateException(String code, String message) {
    super(message);
    this.code = code;
  }

  static TemplateException tooLarge() {
    return new TemplateException(
        TOO_LARGE,
        "with its placeholders filled in, it has more than %s bytes of JSON; store the data elsewhere and pass where it is"
            .formatted(Payload.MAX_SIZE));
  }

  /** Return what the run fails with: trying again would not help. */
  public Failure failure() {
    return Failure.of(code, String.valueOf(getMessage()));
  }
}
