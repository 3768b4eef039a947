package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.Carillon;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds {@code docs/architecture.md} to the code: its numbers to constants, its names to types and
 * packages.
 */
class ArchitecturePageTest {
  private static final Path ROOT = Path.of("..");

  /* Such as: 1 s (`Loop.MAX_BACKOFF`). */
  private static final Pattern NUMBER =
      Pattern.compile("([0-9][0-9,]*)(?:\\s+(ms|s|min|h|d))?\\s+\\(`(\\w+)\\.(\\w+)`\\)");
  private static final Pattern CONSTANT =
      Pattern.compile("`(\\w+\\.[A-Z][A-Z_]+|CarillonBuilder\\.\\w+)`");
  private static final Pattern QUOTED = Pattern.compile("`([^`\n]+)`");
  private static final Pattern FENCED = Pattern.compile("```\n(.*?)```", Pattern.DOTALL);
  private static final Pattern TYPE =
      Pattern.compile("([A-Z]\\w*[a-z]\\w*)(?:\\.(\\w+))?(?:\\(\\))?");
  private static final Pattern WORD =
      Pattern.compile("(?<![\\w-])([A-Z]\\w*[a-z]\\w*)(?:\\.(\\w+))?(?![\\w-])");
  private static final Pattern DECLARED =
      Pattern.compile("\\b(?:class|interface|record|enum) (\\w+)");
  private static final Pattern PACKAGE =
      Pattern.compile("^\\| `(dev\\.carillon[a-z.]*)` \\|.*\\| (\\w+) \\|$", Pattern.MULTILINE);
  private static final Pattern IMPORT =
      Pattern.compile("^import (?:static )?(dev\\.carillon[a-z.]*)\\.[A-Z]", Pattern.MULTILINE);
  private static final Pattern ENTRY =
      Pattern.compile("^\\| ([a-z][a-z -]*) \\| (.*) \\|$", Pattern.MULTILINE);
  private static final Pattern ANCHOR = Pattern.compile("]\\(#([a-z-]+)\\)");
  private static final Pattern HEADING = Pattern.compile("^## (.*)$", Pattern.MULTILINE);

  /* Words of others. */
  private static final Set<String> FOREIGN = Set.of("System", "Jetty");
  private static final int MAX_GLOSSARY = 40;

  /* Such as: 1. start: `Carillon`, `Engine` */
  private static final Pattern READING =
      Pattern.compile("^[1-9]\\. [a-z]+: (`\\w+`(?:, `\\w+`)*)$", Pattern.MULTILINE);
  private static final int MAX_READING_FILES = 40;
  private static final int MAX_READING_LINES = 4_500;

  /* The change log of the server has rows of runs. */
  private static final String KNOWN_USE = "ChangeStore.java uses dev.carillon.store.run";

  private final String page = read(ROOT.resolve("docs/architecture.md"));

  @Test
  void the_way_of_a_slot_is_read_in_a_morning() {
    List<String> names =
        READING
            .matcher(page)
            .results()
            .flatMap(line -> QUOTED.matcher(line.group(1)).results())
            .map(name -> name.group(1))
            .toList();
    List<Path> files =
        sources("main")
            .filter(file -> module(file).equals("carillon-core"))
            .filter(file -> names.stream().anyMatch(name -> file.endsWith(name + ".java")))
            .toList();

    assertThat(names).hasSizeBetween(20, MAX_READING_FILES).doesNotHaveDuplicates();
    assertThat(files).hasSameSizeAs(names);
    assertThat(files.stream().mapToLong(file -> read(file).lines().count()).sum())
        .isLessThan(MAX_READING_LINES);
  }

  @Test
  void a_number_is_what_the_constant_behind_it_says() throws ReflectiveOperationException {
    List<MatchResult> numbers = NUMBER.matcher(page).results().toList();
    var quoted = new LinkedHashMap<String, Object>();
    var held = new LinkedHashMap<String, Object>();
    for (MatchResult number : numbers) {
      String name = number.group(3) + "." + number.group(4);
      quoted.put(name, value(number.group(1).replace(",", ""), number.group(2)));
      held.put(name, constant(number.group(3), number.group(4)));
    }

    assertThat(numbers).hasSizeGreaterThan(20);
    assertThat(quoted).isEqualTo(held);
  }

  private static Object value(String digits, String unit) {
    long number = Long.parseLong(digits);
    if (unit == null) {
      return number;
    }
    return switch (unit) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "min" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }

  /* Of the types of that name, the one that has it; a field of the builder is a default. */
  private static Object constant(String type, String name) throws ReflectiveOperationException {
    for (Path file : sources("main").filter(path -> path.endsWith(type + ".java")).toList()) {
      Class<?> found = Class.forName(packageOf(file) + "." + type);
      for (Field field : found.getDeclaredFields()) {
        if (field.getName().equals(name)) {
          field.setAccessible(true);
          Object value =
              field.get(Modifier.isStatic(field.getModifiers()) ? null : Carillon.builder());
          return value instanceof Integer number ? Long.valueOf(number) : value;
        }
      }
    }
    throw new AssertionError(type + " has no " + name);
  }

  @Test
  void a_constant_stands_behind_a_number() {
    assertThat(CONSTANT.matcher(page).results().map(found -> found.group(1)))
        .isSubsetOf(
            NUMBER.matcher(page).results().map(it -> it.group(3) + "." + it.group(4)).toList());
  }

  @Test
  void a_type_that_is_named_exists_and_has_the_member() {
    Map<String, List<String>> types = types();
    var named = new TreeSet<String>();
    quoted().map(TYPE::matcher).filter(it -> it.matches()).forEach(it -> named.add(it.group()));
    FENCED
        .matcher(page)
        .results()
        .flatMap(block -> WORD.matcher(block.group(1)).results())
        .forEach(word -> named.add(word.group()));
    assertThat(named).hasSizeGreaterThan(150);

    assertThat(named).filteredOn(name -> !exists(name, types)).isEmpty();
  }

  private static boolean exists(String name, Map<String, List<String>> types) {
    String[] parts = name.replace("()", "").split("\\.", 2);
    return FOREIGN.contains(parts[0])
        || types.getOrDefault(parts[0], List.of()).stream()
            .anyMatch(
                text ->
                    parts.length == 1
                        || Pattern.compile("\\b" + parts[1] + "\\b").matcher(text).find());
  }

  /* The texts of the files that declare a type, by its simple name. */
  private static Map<String, List<String>> types() {
    var types = new HashMap<String, List<String>>();
    Stream.concat(sources("main"), sources("test"))
        .map(ArchitecturePageTest::read)
        .forEach(
            text ->
                DECLARED
                    .matcher(text)
                    .results()
                    .forEach(
                        type ->
                            types
                                .computeIfAbsent(type.group(1), key -> new ArrayList<>())
                                .add(text)));
    return types;
  }

  @Test
  void the_packages_are_those_that_exist() {
    assertThat(packages().keySet())
        .isEqualTo(
            new TreeSet<>(
                sources("main")
                    .filter(file -> file.endsWith("package-info.java"))
                    .map(ArchitecturePageTest::packageOf)
                    .toList()));
  }

  @Test
  void a_package_for_its_own_module_is_used_by_no_other() {
    Map<String, String> packages = packages();
    var homes = new HashMap<String, String>();
    sources("main").forEach(file -> homes.put(packageOf(file), module(file)));

    List<String> uses =
        sources("main")
            .flatMap(
                file ->
                    IMPORT
                        .matcher(read(file))
                        .results()
                        .map(found -> found.group(1))
                        .filter(used -> "own".equals(packages.get(used)))
                        .filter(used -> !module(file).equals(homes.get(used)))
                        .map(used -> file.getFileName() + " uses " + used))
            .toList();

    assertThat(packages.values()).isSubsetOf("users", "modules", "own").contains("own");
    assertThat(uses).isSubsetOf(KNOWN_USE);
  }

  @Test
  void the_stores_that_other_modules_may_use_are_named_twice() {
    List<String> open =
        packages().entrySet().stream()
            .filter(entry -> entry.getValue().equals("modules"))
            .map(Map.Entry::getKey)
            .filter(name -> name.startsWith("dev.carillon.store."))
            .toList();

    assertThat(quoted().filter(name -> name.startsWith("store.")).map("dev.carillon."::concat))
        .containsExactlyInAnyOrderElementsOf(open);
  }

  private Map<String, String> packages() {
    var packages = new TreeMap<String, String>();
    PACKAGE
        .matcher(page)
        .results()
        .forEach(row -> assertThat(packages.put(row.group(1), row.group(2))).isNull());
    return packages;
  }

  @Test
  void a_file_that_is_named_exists() {
    assertThat(quoted().filter(name -> name.startsWith("docs/")))
        .isNotEmpty()
        .allSatisfy(name -> assertThat(ROOT.resolve(name)).exists());
  }

  @Test
  void the_contents_lead_to_the_headings() {
    assertThat(ANCHOR.matcher(page).results().map(link -> link.group(1)))
        .containsExactlyElementsOf(
            HEADING
                .matcher(page)
                .results()
                .map(title -> title.group(1).toLowerCase(Locale.ROOT).replace(' ', '-'))
                .toList());
  }

  @Test
  void the_glossary_has_at_most_forty_words_each_with_one_sentence() {
    String glossary = page.substring(page.indexOf("\n## Glossary\n"));
    Map<String, String> entries = new LinkedHashMap<>();
    ENTRY
        .matcher(glossary)
        .results()
        .filter(row -> !row.group(1).equals("word"))
        .forEach(row -> assertThat(entries.put(row.group(1), row.group(2))).isNull());

    assertThat(entries).hasSizeBetween(MAX_GLOSSARY / 2, MAX_GLOSSARY);
    assertThat(entries.values()).allMatch(text -> text.matches("[A-Z][^.]*\\."), "one sentence");
  }

  private Stream<String> quoted() {
    return QUOTED
        .matcher(FENCED.matcher(page).replaceAll(""))
        .results()
        .map(found -> found.group(1));
  }

  private static Stream<Path> sources(String kind) {
    try (Stream<Path> modules = Files.list(ROOT)) {
      return modules
          .filter(module -> module.getFileName().toString().startsWith("carillon-"))
          .map(module -> module.resolve("src/" + kind + "/java"))
          .filter(Files::isDirectory)
          .toList()
          .stream()
          .flatMap(ArchitecturePageTest::files);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> files(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.endsWith("module-info.java"))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String module(Path file) {
    return file.getName(1).toString();
  }

  /* From ../MODULE/src/KIND/java on, folders are packages. */
  private static String packageOf(Path file) {
    Path folder = Objects.requireNonNull(file.getParent());
    return folder.subpath(5, folder.getNameCount()).toString().replace('/', '.');
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
