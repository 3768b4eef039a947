package dev.carillon.store.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A numbered file of SQL that, once released, never changes.
 *
 * <p>If its first line begins with {@code -- breaking:} and a reason, versions of Carillon that do
 * not know it refuse to work with the schema.
 */
record Migration(int number, String name, String sql) {
  /* A jar or a native image has no folder to list. */
  private static final List<String> FILES =
      List.of(
          "0001_schedules_and_runs.sql",
          "0002_runs_elsewhere.sql",
          "0003_targets_tokens_and_workflows.sql",
          "0004_changes_in_order.sql",
          "0005_places_in_the_queue.sql",
          "0006_catching_up_in_turns.sql",
          "0007_dismissed_dead_letters.sql",
          "0008_targets_of_nodes.sql",
          "0009_completed_schedules.sql",
          "0010_pauses_to_come.sql",
          "0011_views_of_schedules_and_planned_runs.sql",
          "0012_plain_names.sql",
          "0013_decisions_about_retired_schedules.sql",
          "0014_fences_of_leases.sql",
          "0015_old_versions.sql",
          "0016_partitions_by_function.sql",
          "0017_scopes_of_tokens.sql",
          "0018_sealed_secrets.sql",
          "0019_one_effect_per_key.sql",
          "0020_changes_of_status.sql",
          "0021_deadlines.sql",
          "0022_business_time.sql",
          "0023_console_sessions.sql",
          "0024_former_nodes.sql",
          "0025_capacity_and_clock_of_nodes.sql");

  private static final Pattern NAME = Pattern.compile("(\\d{4})_[a-z0-9_]+\\.sql");

  Migration {
    sql = sql.replace("\r\n", "\n");
  }

  /** Return all migrations this version knows, in order. */
  static List<Migration> all() {
    return FILES.stream().map(name -> of(name, read(name))).toList();
  }

  static Migration of(String name, String sql) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "a migration is named like 0001_what_it_adds.sql; was " + name);
    }
    return new Migration(Integer.parseInt(matcher.group(1)), name, sql);
  }

  boolean breaking() {
    return sql.startsWith("-- breaking:");
  }

  String checksum() {
    try {
      var sha256 = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha256.digest(sql.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  private static String read(String name) {
    try (InputStream file = Migration.class.getResourceAsStream("migration/" + name)) {
      if (file == null) {
        throw new IllegalStateException("migration " + name + " is missing; build Carillon again");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
