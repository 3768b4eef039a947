package dev.carillon.resilience.cluster;

import dev.carillon.fixture.Await;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A server of the runnable jar in a process of its own, which is killed, frozen and restarted. */
public final class NodeProcess implements AutoCloseable {
  public static final Duration LEASE = Duration.ofSeconds(6);
  private static final String TOKEN = "the-administrator-of-these-tests";
  private static final Duration START = Duration.ofMinutes(2);
  private static final Pattern LISTENING = Pattern.compile("listening on (http://\\S+)");
  private static final Pattern LIVE_BYTES = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");

  private final String name;
  private final Path folder;
  private final List<String> jvm;
  private final Map<String, String> settings = new TreeMap<>();
  private final Api api = new Api(this::url, TOKEN);
  private @Nullable Process process;
  private @Nullable Path log;
  private final Thread atExit = new Thread(this::endProcess, "end-node");
  private volatile @Nullable String url;
  private int starts;

  /**
   * A node that is not started yet.
   *
   * @param folder where its data folder and its logs are
   * @param databasePort the port at which it reaches PostgreSQL
   * @param jvm options of its JVM
   * @param settings more settings, by the names they have in the environment
   */
  public NodeProcess(
      String name, Path folder, int databasePort, List<String> jvm, Map<String, String> settings) {
    this.name = name;
    this.folder = folder;
    this.jvm = List.copyOf(jvm);
    this.settings.putAll(
        Map.of(
            "CARILLON_DATABASE_URL",
            PostgresServer.url(databasePort),
            "CARILLON_DATABASE_USER",
            PostgresServer.USER,
            "CARILLON_DATA",
            folder.resolve(name).toString(),
            "CARILLON_NODE_NAME",
            name,
            "CARILLON_ADMIN_TOKEN",
            TOKEN,
            "CARILLON_HEARTBEAT",
            "PT2S",
            "CARILLON_LEASE",
            "PT" + LEASE.toSeconds() + "S",
            "CARILLON_ALLOWED_HOSTS",
            "127.0.0.1",
            "LC_ALL",
            "C.UTF-8"));
    this.settings.putAll(settings);
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  private void endProcess() {
    if (process != null) {
      process.destroyForcibly();
    }
  }

  /** Start, without waiting until it listens. */
  public void start() {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvm);
    command.addAll(List.of("-jar", System.getProperty("carillon.jar"), "serve", "--port", "0"));
    starts++;
    url = null;
    Path output = folder.resolve("%s-%s.log".formatted(name, starts));
    var builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().keySet().removeIf(each -> each.startsWith("CARILLON_"));
    builder.environment().putAll(settings);
    builder.redirectErrorStream(true).redirectOutput(output.toFile());
    builder.redirectInput(new File("/dev/null"));
    try {
      process = builder.start();
      log = output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Wait until it listens, and fail with its output if it does not. */
  public void awaitStart() {
    Await.within(START, () -> !running().isAlive() || listening());
    if (!listening()) {
      throw new AssertionError("%s does not listen: %s".formatted(name, output()));
    }
  }

  /** Return where it listens. */
  public String url() {
    @Nullable String found = url;
    if (found == null) {
      throw new IllegalStateException(name + " does not listen");
    }
    return found;
  }

  private boolean listening() {
    Matcher found = LISTENING.matcher(output());
    if (found.find()) {
      url = found.group(1);
    }
    return url != null;
  }

  /** Return what it printed since it was started last. */
  public String output() {
    try {
      return log == null ? "" : Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String name() {
    return name;
  }

  /** Return its API for the administrator. */
  public Api api() {
    return api;
  }

  private Process running() {
    if (process == null) {
      throw new IllegalStateException(name + " was not started");
    }
    return process;
  }

  public boolean isAlive() {
    return process != null && process.isAlive();
  }

  public long pid() {
    return running().pid();
  }

  /** End it without a chance to clean up. */
  public void kill() throws InterruptedException {
    running().destroyForcibly().waitFor();
  }

  /** Stop its threads where they are. */
  public void freeze() {
    Commands.signal("STOP", pid());
  }

  /** Let its threads go on. */
  public void thaw() {
    Commands.signal("CONT", pid());
  }

  /** Return how many bytes of its heap are in use after a full collection. */
  public long liveBytes() {
    String histogram = Commands.run("jcmd", String.valueOf(pid()), "GC.class_histogram");
    Matcher total = LIVE_BYTES.matcher(histogram);
    if (!total.find()) {
      throw new IllegalStateException("no total in the histogram of " + name);
    }
    return Long.parseLong(total.group(1));
  }

  /** Return how many threads it has. */
  public long threads() {
    return entries("task");
  }

  /** Return how many files and sockets it has open. */
  public long openFiles() {
    return entries("fd");
  }

  private long entries(String of) {
    String[] names = new File("/proc/%s/%s".formatted(pid(), of)).list();
    return names == null ? 0 : names.length;
  }

  @Override
  public void close() {
    if (process == null) {
      Runtime.getRuntime().removeShutdownHook(atExit);
      return;
    }
    thaw();
    process.destroy();
    try {
      if (!process.waitFor(45, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().removeShutdownHook(atExit);
  }
}
