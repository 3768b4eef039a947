package dev.carillon.postgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A short command that is run to its end. */
record Command(List<String> words) {
  static Command of(String... words) {
    return new Command(List.of(words));
  }

  static Command of(List<String> words) {
    return new Command(words);
  }

  /** Run it and wait; a program that is not there fails like any other. */
  Answer run() {
    return run("");
  }

  /** Run it with {@code input} to read, and wait. */
  Answer run(String input) {
    try {
      var builder = new ProcessBuilder(words).redirectErrorStream(true);
      cleanse(builder.environment());
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
      throw new PostgresException("interrupted while running " + words.get(0), e);
    }
  }

  /** Keep the caller's language, zone and PostgreSQL settings away from ours. */
  static void cleanse(Map<String, String> environment) {
    environment.keySet().removeIf(name -> name.startsWith("PG") || name.startsWith("LC_"));
    environment.put("LC_ALL", "C");
    environment.put("TZ", "UTC");
  }

  /** What became of a command. */
  record Answer(int status, List<String> lines) {
    private static final Pattern COMPLAINT = Pattern.compile("^.*\\b(FATAL|error):\\s+");

    boolean succeeded() {
      return status == 0;
    }

    String firstLine() {
      return lines.isEmpty() ? "" : lines.get(0);
    }

    /** Return the line that says what went wrong: PostgreSQL's own if there is one, or the last. */
    String complaint() {
      return lines.stream()
          .filter(line -> COMPLAINT.matcher(line).find())
          .findFirst()
          .or(() -> lines.stream().reduce((earlier, later) -> later))
          .map(line -> COMPLAINT.matcher(line).replaceFirst(""))
          .orElse("exit status " + status);
    }
  }
}
