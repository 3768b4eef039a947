package dev.carillon.cli.rooms;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the rules of the house against its code, and shows that each rule can fail. */
class RoomsTest {
  private static final String BROKEN_ROOT = "dev.carillon.cli.rooms.broken";
  private static final JavaClasses HOUSE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("dev.carillon");
  private static final JavaClasses BROKEN = new ClassFileImporter().importPackages(BROKEN_ROOT);

  static Stream<Arguments> rules() {
    return Stream.of(
        rule(Rooms::pureRoomsUseOnlyPlainJava, "pure rooms use only plain Java", "time.KnowsStore"),
        rule(
            Rooms::pureRoomsAreSingleThreaded,
            "pure rooms are single-threaded",
            "time.UsesThreads"),
        rule(
            Rooms::pureRoomsKnowNeitherClockNorChance,
            "pure rooms know neither clock nor chance",
            "time.ReadsClock",
            "time.RollsDice"),
        rule(Rooms::onlyTheStoreSpeaksSql, "only the store speaks SQL", "server.AsksDirectly"),
        rule(Rooms::onlyTheEngineStartsThreads, "only the engine starts threads", "store.Sleeps"),
        rule(
            Rooms::roomsUseOnlyRoomsBelow,
            "rooms use only rooms below",
            "time.KnowsStore",
            "store.run.KnowsRoot"),
        rule(
            Rooms::handlersReachOnlyWhatTheCallerDoes,
            "handlers reach only what the caller does",
            "server.api.AsksForAll"),
        rule(Rooms::internalsStayInside, "internals stay inside", "server.ClaimsByItself"),
        rule(
            Rooms::partsOfTheStoreHaveNoCycles,
            "parts of the store have no cycles",
            "store.run.KnowsPlan",
            "store.plan.KnowsRun"),
        rule(Rooms::onlyTheServerSpeaksHttp, "only the server speaks HTTP", "store.SpeaksHttp"),
        rule(
            Rooms::targetsCallButDoNotServe, "targets call but do not serve", "targets.ServesHttp"),
        rule(Rooms::coreKnowsNoTargets, "core knows no targets", "store.KnowsTargets"),
        rule(Rooms::timeKnowsNoOtherRoom, "time knows no other room", "time.KnowsStore"),
        rule(Rooms::coreKnowsNothingAbove, "core knows nothing above", "store.KnowsTime"),
        rule(
            Rooms::serverKnowsNotTheCommandLine,
            "the server knows not the command line",
            "server.CallsMain"),
        rule(
            Rooms::roomsHaveNoCycles, "rooms have no cycles", "store.KnowsTime", "time.KnowsStore"),
        rule(
            Rooms::namesSaySomething,
            "names say something",
            "model.BellManager",
            "model.AbstractBell"),
        rule(
            Rooms::commandsPrintThroughTheTerminal,
            "commands print through the terminal's writer",
            "cli.PrintsDirectly"),
        rule(Rooms::packagesSayWhatMayBeNull, "packages say what may be null", "bare.Unmarked"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rules")
  void the_house_keeps_the_rule(Function<Rooms, ArchRule> rule, List<String> breakers) {
    rule.apply(new Rooms("dev.carillon")).check(HOUSE);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rules")
  void a_broken_house_is_caught(Function<Rooms, ArchRule> rule, List<String> breakers) {
    String report =
        rule.apply(new Rooms(BROKEN_ROOT)).evaluate(BROKEN).getFailureReport().toString();

    assertThat(breakers)
        .allSatisfy(breaker -> assertThat(report).contains(BROKEN_ROOT + "." + breaker));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rules")
  void a_rule_says_why_it_is_there(Function<Rooms, ArchRule> rule, List<String> breakers) {
    assertThat(rule.apply(new Rooms("dev.carillon")).getDescription()).contains(", because ");
  }

  @Test
  void the_rules_see_every_package() throws IOException {
    assertThat(
            HOUSE.stream()
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .map(JavaClass::getPackageName)
                .collect(toSet()))
        .isEqualTo(packagesInTheSources())
        .contains("dev.carillon", "dev.carillon.store.jdbc", "dev.carillon.server.api.compat");
    assertThat(HOUSE).noneMatch(type -> type.getName().endsWith("Test"));
  }

  /* The packages of all product modules that have at least one class. */
  private static Set<String> packagesInTheSources() throws IOException {
    Path project = Path.of("..").toAbsolutePath().normalize();
    try (Stream<Path> files = Files.walk(project)) {
      return files
          .map(project::relativize)
          .filter(file -> file.toString().matches("carillon-[a-z]+/src/main/java/.*\\.java"))
          .filter(file -> !file.toString().matches(".*(package|module)-info\\.java"))
          .map(file -> file.subpath(4, file.getNameCount() - 1).toString().replace('/', '.'))
          .collect(toSet());
    }
  }

  private static Arguments rule(Function<Rooms, ArchRule> rule, String name, String... breakers) {
    return Arguments.of(Named.of(name, rule), List.of(breakers));
  }
}
