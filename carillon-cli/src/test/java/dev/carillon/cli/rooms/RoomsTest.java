package dev.carillon.cli.rooms;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
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
        rule(Rooms::roomsUseOnlyRoomsBelow, "rooms use only rooms below", "time.KnowsStore"),
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
  void the_rules_see_every_room() {
    assertThat(HOUSE)
        .extracting(type -> type.getPackageName())
        .contains(
            "dev.carillon",
            "dev.carillon.time",
            "dev.carillon.json",
            "dev.carillon.policy",
            "dev.carillon.model",
            "dev.carillon.definition",
            "dev.carillon.target",
            "dev.carillon.event",
            "dev.carillon.plan",
            "dev.carillon.engine",
            "dev.carillon.testing",
            "dev.carillon.store",
            "dev.carillon.postgres",
            "dev.carillon.targets",
            "dev.carillon.server",
            "dev.carillon.cli");
    assertThat(HOUSE).noneMatch(type -> type.getName().endsWith("Test"));
  }

  private static Arguments rule(Function<Rooms, ArchRule> rule, String name, String... breakers) {
    return Arguments.of(Named.of(name, rule), List.of(breakers));
  }
}
