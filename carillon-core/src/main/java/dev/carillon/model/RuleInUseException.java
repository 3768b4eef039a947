package dev.carillon.model;

/** A calendar or quiet hours that cannot be deleted, since schedules use them. */
public final class RuleInUseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient RuleUsage usage;

  /** Refuse to delete {@code what}, which {@code usage} uses. */
  public RuleInUseException(String what, RuleUsage usage) {
    super(
        "%s %s used by %d schedule%s: %s%s; change or retire %s first"
            .formatted(
                what,
                what.startsWith("quiet") ? "are" : "is",
                usage.count(),
                usage.count() == 1 ? "" : "s",
                String.join(", ", usage.first()),
                usage.count() > usage.first().size() ? ", …" : "",
                usage.count() == 1 ? "it" : "them"));
    this.usage = usage;
  }

  /** Return who uses it. */
  public RuleUsage usage() {
    return usage;
  }
}
