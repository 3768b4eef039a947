package dev.carillon.server.signin;

import dev.carillon.json.AsciiText;
import java.util.Optional;

/**
 * Who may sign in. Its text shows no token.
 *
 * @param adminToken the token of an administrator, if one is set
 * @param failures how many failed sign-ins an address has in a minute
 * @param jwt which JWTs are accepted; empty for none
 */
public record SignInSettings(Optional<String> adminToken, int failures, Optional<JwtSettings> jwt) {
  private static final int MIN_LENGTH = 20;
  private static final int MAX_LENGTH = 200;

  /** Return {@code token}, unless it is too easily guessed or cannot be sent. */
  public static String checkedToken(String token) {
    if (!AsciiText.isVisible(token, MIN_LENGTH, MAX_LENGTH)) {
      throw new IllegalArgumentException(
          "an admin token has %s to %s characters of ASCII and no blanks"
              .formatted(MIN_LENGTH, MAX_LENGTH));
    }
    return token;
  }

  @Override
  public String toString() {
    return "SignInSettings[adminToken=%s, failures=%s, jwt=%s]"
        .formatted(adminToken.isPresent() ? "set" : "generated", failures, jwt);
  }
}
