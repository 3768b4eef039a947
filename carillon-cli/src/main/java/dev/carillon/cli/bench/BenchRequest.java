package dev.carillon.cli.bench;

import dev.carillon.cli.Nearest;
import dev.carillon.server.ServerSettings;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What to measure, as typed; each method refuses what cannot be measured.
 *
 * @param measures by their names; none for all
 * @param places {@code database-url} and {@code data}, where given
 * @param sizes how much to measure, by the names of the options, where given
 * @param quick whether the other sizes are those for a first impression
 * @param json whether the report is for a program
 */
record BenchRequest(
    List<String> measures,
    Map<String, String> places,
    Map<String, Integer> sizes,
    boolean quick,
    boolean json) {

  Set<Measure> wanted() {
    var wanted = EnumSet.noneOf(Measure.class);
    measures.forEach(word -> wanted.add(measure(word)));
    return wanted.isEmpty() ? EnumSet.allOf(Measure.class) : wanted;
  }

  private static Measure measure(String word) {
    List<String> titles = Arrays.stream(Measure.values()).map(Measure::title).toList();
    return Arrays.stream(Measure.values())
        .filter(measure -> measure.title().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'%s' is not one of %s%s"
                        .formatted(
                            word,
                            String.join(", ", titles),
                            Nearest.hint(word, titles).orElse(""))));
  }

  Effort effort() {
    Effort usual = quick ? Effort.QUICK : Effort.FULL;
    return new Effort(
        sizes.getOrDefault("runs", usual.runs()),
        sizes.getOrDefault("rate", usual.rate()),
        sizes.getOrDefault("seconds", usual.seconds()),
        sizes.getOrDefault("idle", usual.idle()));
  }

  Site site(Map<String, String> environment) {
    // CARILLON_DATA is the folder of a server, not of a bench.
    Map<String, String> accounts =
        environment.entrySet().stream()
            .filter(variable -> variable.getKey().startsWith("CARILLON_DATABASE_"))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    if (places.containsKey("data") && places.containsKey("database-url")) {
      throw new IllegalArgumentException(
          "--data and --database-url exclude each other: the folder is for the embedded PostgreSQL;"
              + " drop one");
    }
    ServerSettings settings = ServerSettings.from(places, accounts);
    Optional<Path> data =
        places.containsKey("data") ? Optional.of(settings.data()) : Optional.empty();
    return settings.database().map(Site::at).orElseGet(() -> Site.embedded(data));
  }
}
