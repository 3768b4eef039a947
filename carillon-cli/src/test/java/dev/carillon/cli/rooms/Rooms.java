package dev.carillon.cli.rooms;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.NullMarked;

/**
 * The rules of a house whose rooms are packages below {@code root}.
 *
 * @param root the package of the hall, such as {@code dev.carillon}
 */
record Rooms(String root) {
  private static final List<String> PURE =
      List.of(
          "time", "json", "policy", "model", "definition", "template", "target", "event", "plan");

  /* Of the embeddable scheduler, from the top down; the root package itself is above them. */
  private static final List<String> STOREYS =
      List.of(
          "",
          "engine",
          "store",
          "plan",
          "event",
          "target",
          "template",
          "definition",
          "model",
          "policy",
          "json",
          "time");

  /* What other modules may use of the store; its package-info says so. */
  private static final List<String> DOORS =
      List.of("jdbc", "schema", "backup", "audit", "cluster", "workflow");

  /* The change log of the server reads runs as the store does, from the same columns. */
  private static final String SHARED_ROWS = ".store.run.RunRows";

  /* Callers hand their transaction through the hall to the store, and handlers get one. */
  private static final String PASSED_THROUGH = "java.sql.Connection";
  private static final List<String> BANNED_ENDINGS =
      List.of("Impl", "Manager", "Helper", "Util", "Utils", "Service", "Processor");

  /* Reading a table that is part of the jar: the same answer each time. */
  private static final Set<String> RESOURCE_READING =
      Set.of(
          "java.io.InputStream",
          "java.io.InputStreamReader",
          "java.io.BufferedReader",
          "java.io.IOException",
          "java.io.UncheckedIOException");

  /* Pure classes that may use java.util.concurrent, each with the reason beside it. None yet. */
  private static final Set<String> CONCURRENT_FOR_A_REASON = Set.of();

  ArchRule pureRoomsUseOnlyPlainJava() {
    return classes()
        .that(arePure())
        .should()
        .onlyDependOnClassesThat(
            arePure()
                .or(resideInAnyPackage("java.lang..", "java.math", "java.time..", "java.security"))
                .or(
                    resideInAnyPackage(
                        "java.util..", "java.nio.charset", "org.jspecify.annotations"))
                .or(
                    DescribedPredicate.describe(
                        "read a resource", type -> RESOURCE_READING.contains(type.getName())))
                .or(
                    DescribedPredicate.describe(
                        "are passed through", type -> type.getName().equals(PASSED_THROUGH))))
        .because("decisions are functions: no SQL, no HTTP, no log, nothing to start or to fake");
  }

  ArchRule pureRoomsAreSingleThreaded() {
    return noClasses()
        .that(
            arePure()
                .and(
                    DescribedPredicate.describe(
                        "have no stated reason",
                        type -> !CONCURRENT_FOR_A_REASON.contains(type.getName()))))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.util.concurrent..", "java.util.logging..")
        .because("a function needs no other thread; an exception is listed with its reason");
  }

  ArchRule pureRoomsKnowNeitherClockNorChance() {
    return noClasses()
        .that(arePure())
        .should()
        .callMethodWhere(DescribedPredicate.describe("reads a clock or chance", Rooms::isImpure))
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.time.Clock")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.util.Random")
        .because("instants and ids arrive as arguments, so that every decision can be repeated");
  }

  ArchRule onlyTheStoreSpeaksSql() {
    return noClasses()
        .that()
        .resideOutsideOfPackages(in("store"), in("postgres"), in("bench"), in("cli.bench"))
        .and()
        .doNotHaveFullyQualifiedName(
            root + ".server.ConnectionPool") // opens connections, runs no statement
        .and()
        .doNotHaveFullyQualifiedName(root + ".server.ConnectionPool$ExplainedPool") // as well
        .and()
        .doNotHaveFullyQualifiedName(root + ".server.ReconnectingSource") // as well
        .and()
        .doNotHaveFullyQualifiedName(root + ".server.DatabaseProbe") // as well
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("java.sql..")
                .and(
                    DescribedPredicate.describe(
                        "are not merely passed through",
                        type -> !type.getName().equals(PASSED_THROUGH))))
        .because(
            "SQL is read, measured and changed in one room; PostgreSQL's own module creates the"
                + " database the store lives in, and the bench measures a server that is not ours");
  }

  ArchRule onlyTheEngineStartsThreads() {
    return noClasses()
        .that()
        .resideOutsideOfPackages(
            in("engine"), in("postgres"), in("targets"), in("server"), in("cli"))
        .should()
        .callMethodWhere(
            DescribedPredicate.describe("starts or stops a thread", Rooms::isThreading))
        .orShould()
        .callConstructorWhere(
            DescribedPredicate.describe(
                "makes a thread", call -> call.getTargetOwner().isAssignableTo(Thread.class)))
        .because("whoever wonders what runs when has one room to read");
  }

  ArchRule roomsUseOnlyRoomsBelow() {
    return classes()
        .should(useOnlyStoreysBelow())
        .because("a room can be read knowing only the rooms below it");
  }

  ArchRule onlyTheServerSpeaksHttp() {
    return noClasses()
        .that()
        .resideOutsideOfPackages(in("server"), in("cli"), in("targets"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.eclipse.jetty..", "com.fasterxml.jackson..")
        .because("the embedded scheduler brings no web server and no JSON library");
  }

  ArchRule targetsCallButDoNotServe() {
    return noClasses()
        .that()
        .resideInAPackage(in("targets"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.eclipse.jetty.server..",
            "jakarta.servlet..",
            "com.sun.net.httpserver..",
            "com.fasterxml.jackson..")
        .because("whoever embeds the scheduler can have its targets without a web server");
  }

  ArchRule coreKnowsNoTargets() {
    return noClasses()
        .that()
        .resideOutsideOfPackages(in("targets"), in("server"), in("cli"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(in("targets"))
        .because("time <- core <- targets <- server <- cli");
  }

  ArchRule timeKnowsNoOtherRoom() {
    return noClasses()
        .that()
        .resideInAPackage(in("time"))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(root + "..")
                .and(DescribedPredicate.not(resideInAnyPackage(in("time")))))
        .because("carillon-time is the lowest module, of use without the others");
  }

  ArchRule coreKnowsNothingAbove() {
    return noClasses()
        .that()
        .resideOutsideOfPackages(in("server"), in("cli"), in("postgres"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(in("server"), in("cli"), in("postgres"))
        .because(
            "time <- core <- server <- cli; whoever embeds the core brings their own database");
  }

  ArchRule serverKnowsNotTheCommandLine() {
    return noClasses()
        .that()
        .resideInAnyPackage(in("server"), in("postgres"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(in("cli"))
        .because("time <- core <- server <- cli");
  }

  ArchRule handlersReachOnlyWhatTheCallerDoes() {
    return noClasses()
        .that()
        .resideInAPackage(in("server.api"))
        .and()
        .doNotHaveFullyQualifiedName(root + ".server.api.Reachable")
        .should()
        .callMethodWhere(
            DescribedPredicate.describe("hands out all schedules or runs", Rooms::isHandingOutAll))
        .because("a token may have a scope, and only Reachable asks for it");
  }

  private static boolean isHandingOutAll(JavaMethodCall call) {
    return call.getTargetOwner().getName().equals("dev.carillon.Carillon")
        && Set.of("schedules", "runs").contains(call.getName());
  }

  ArchRule internalsStayInside() {
    return noClasses()
        .that()
        .resideInAnyPackage(in("server"), in("cli"), in("targets"), in("bench"), in("postgres"))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(in("store"), in("engine"), in("plan"))
                .and(
                    DescribedPredicate.not(
                        resideInAnyPackage(
                            DOORS.stream()
                                .map(door -> in("store." + door))
                                .toArray(String[]::new))))
                .and(
                    DescribedPredicate.describe(
                        "are not shared rows",
                        type -> !type.getName().startsWith(root + SHARED_ROWS))))
        .because(
            "what other modules use of the core is its public API and a few named packages; the"
                + " rest can be rebuilt without looking further");
  }

  ArchRule partsOfTheStoreHaveNoCycles() {
    return slices()
        .matching(root + ".store.(*)..")
        .should()
        .beFreeOfCycles()
        .because("each part of the store can be read knowing only the parts it uses");
  }

  ArchRule roomsHaveNoCycles() {
    return slices()
        .matching(root + ".(*)..")
        .should()
        .beFreeOfCycles()
        .because("a room can be read knowing only the rooms below it");
  }

  ArchRule namesSaySomething() {
    return noClasses()
        .should(haveAnEmptyName())
        .because("a name says what the thing is; these words fit anything");
  }

  ArchRule commandsPrintThroughTheTerminal() {
    return noClasses()
        .that()
        .resideInAPackage(in("cli"))
        .and()
        .doNotHaveFullyQualifiedName(root + ".cli.Main") // asks whether stdout could be written
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .callMethod(Throwable.class, "printStackTrace")
        .orShould()
        .callMethod(System.class, "console")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.io.FileDescriptor")
        .because("only the terminal's writer escapes what texts from elsewhere have in them");
  }

  ArchRule packagesSayWhatMayBeNull() {
    return classes()
        .should(beInAPackageMarkedForNull())
        .because("null is only allowed where the code says so");
  }

  private String in(String room) {
    return root + "." + room + "..";
  }

  private DescribedPredicate<JavaClass> arePure() {
    return resideInAnyPackage(PURE.stream().map(this::in).toArray(String[]::new))
        .as("are in a pure room");
  }

  private static boolean isThreading(JavaCall<?> call) {
    String owner = call.getTargetOwner().getName();
    return (owner.equals("java.lang.Thread") && Set.of("start", "sleep").contains(call.getName()))
        || owner.equals("java.util.concurrent.Executors");
  }

  private ArchCondition<JavaClass> useOnlyStoreysBelow() {
    return new ArchCondition<>("use only rooms below") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        int storey = storey(type);
        type.getDirectDependenciesFromSelf().stream()
            .filter(use -> storey >= 0 && storey(use.getTargetClass()) >= 0)
            .filter(use -> storey(use.getTargetClass()) < storey)
            .forEach(use -> events.add(SimpleConditionEvent.violated(type, use.getDescription())));
      }
    };
  }

  /* A package below a room, such as store.jdbc, is on the storey of its room. */
  private int storey(JavaClass type) {
    String name = type.getPackageName();
    if (name.equals(root)) {
      return 0;
    }
    return name.startsWith(root + ".")
        ? STOREYS.indexOf(name.substring(root.length() + 1).split("\\.", 2)[0])
        : -1;
  }

  private static boolean isImpure(JavaCall<?> call) {
    String owner = call.getTargetOwner().getName();
    String method = call.getName();
    return (owner.startsWith("java.time.") && method.equals("now"))
        || (owner.equals("java.lang.System")
            && Set.of("currentTimeMillis", "nanoTime").contains(method))
        || (owner.equals("java.lang.Math") && method.equals("random"))
        || (owner.equals("java.util.UUID") && method.equals("randomUUID"));
  }

  private static ArchCondition<JavaClass> haveAnEmptyName() {
    return new ArchCondition<>("have a name that says nothing") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        String name = type.getSimpleName();
        boolean empty =
            BANNED_ENDINGS.stream().anyMatch(name::endsWith)
                || name.matches("(Abstract|Base)[A-Z].*")
                || (type.isInterface() && name.matches("I[A-Z][a-z].*"));
        events.add(new SimpleConditionEvent(type, empty, type.getName()));
      }
    };
  }

  private static ArchCondition<JavaClass> beInAPackageMarkedForNull() {
    return new ArchCondition<>("be in a package that is @NullMarked") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        boolean marked = type.getPackage().isAnnotatedWith(NullMarked.class);
        events.add(new SimpleConditionEvent(type, marked, type.getName() + " is not null-marked"));
      }
    };
  }
}
