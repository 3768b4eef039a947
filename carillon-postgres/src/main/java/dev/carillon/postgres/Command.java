package dev.carillon.postgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A command that runs to its end within a short time. */
record Command(List<String> arguments) {
  static Command of(String... arguments) {
    return new Command(List.of(arguments));
  }

  /** Run it and wait; a missing program has exit status 127. */
  Answer run() {
    return run("");
  }

  Answer run(String input) {
    try {
      var builder = new ProcessBuilder(arguments).redirectErrorStream(true);
      cleanEnvironment(builder.environment());
      Process process = builder.start();
      try (var in = process.getOutputStream()) {
        in.write(input.getBytes(StandardCharsets.UTF_8));
      }
      var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      var lines = output.lines().filter(line -> !line.isBlank()).toList();
      return new Answer(process.waitFor(), lines);
    } catch (IOException e) {
      return new Answer(127, List.of(String.valueOf(e.getMessage())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PostgresException("interrupted while running " + arguments.get(0), e);
    }
  }

  /** Remove the caller's language, time zone and PostgreSQL settings. */
  static void cleanEnvironment(Map<String, String> environment) {
    environment.keySet().removeIf(name -> name.startsWith("PG") || name.startsWith("LC_"));
    environment.put("LC_ALL", "C");
    environment.put("TZ", "UTC");
  }

  /** The exit status and output of a command. */
  record Answer(int status, List<String> lines) {
    private static final Pattern ERROR_PREFIX = Pattern.compile("^.*\\b(FATAL|error):\\s+");

    boolean succeeded() {
      return status == 0;
    }

    String firstLine() {
      return lines.isEmpty() ? "" : lines.get(0);
    }

    /** Return the error line: PostgreSQL's own if there is one, otherwise the last line. */
    String errorLine() {
      return lines.stream()
          .filter(line -> ERROR_PREFIX.matcher(line).find())
          .findFirst()
          .or(() -> lines.stream().reduce((earlier, later) -> later))
          .map(line -> ERROR_PREFIX.matcher(line).replaceFirst(""))
          .orElse("exit status " + status);
    }
  }
}
