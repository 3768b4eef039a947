package dev.carillon.server.web;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a caller may do; each role may also do what those before it may. */
public enum Role {
  /** Nothing that needs a sign-in. */
  OPEN,
  /** Read. */
  VIEWER,
  /** Pause, resume, run, cancel and retry. */
  OPERATOR,
  /** Define schedules and workflows. */
  EDITOR,
  /** Manage tokens, targets and settings. */
  ADMIN;

  /** The words of the roles that a caller can be given. */
  public static final List<String> WORDS =
      Arrays.stream(values()).filter(role -> role != OPEN).map(Role::word).toList();

  /** Return whether this role may do what {@code needed} may. */
  public boolean covers(Role needed) {
    return compareTo(needed) >= 0;
  }

  /** Return the name used in tokens, claims and settings. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Return the role called {@code word} that a caller can be given; empty if there is none. */
  public static Optional<Role> named(String word) {
    return WORDS.contains(word)
        ? Optional.of(valueOf(word.toUpperCase(Locale.ROOT)))
        : Optional.empty();
  }
}
