package dev.carillon.cli.ping;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Environment;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Session;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon ping wrap}. */
@Command(
    name = "wrap",
    description = {
      "Run a command and ping when it begins and ends.",
      "",
      "The pings tell how long it took, its exit code and the end of what it printed. Its output is",
      "passed on, and its exit code is that of this command.",
      "",
      "The command runs whether or not the server answers; what could not be said is told on stderr."
    },
    footer = {
      "",
      "Examples:",
      "  carillon ping wrap backup -- rsync -a /home /mnt/backup",
      "  carillon ping wrap report --no-output -- sh -c './report | mail ops'",
      "",
      "Exit codes: those of the command; 127 if it cannot be run."
    })
public final class WrapCommand implements Callable<Integer> {
  private static final int NOT_RUN = 127;

  /* How long this command outlives the one it ran, at most, if the server does not answer. */
  private static final long LAST_WAIT_SECONDS = 15;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Parameters(index = "0", paramLabel = "KEY", description = PingCommand.KEY)
  @SuppressWarnings("NullAway.Init") // by picocli
  private String key;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "What to run, with its arguments, after --.")
  @SuppressWarnings("NullAway.Init") // by picocli
  private List<String> command;

  @Option(names = "--no-output", description = "Do not send what it prints.")
  private boolean withoutOutput;

  @Override
  public Integer call() {
    Thread begin = inBackground("start", PingReport.of(null, null, null), null);
    long started = System.nanoTime();
    var tail = new OutputTail();
    int exit = run(tail);
    long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);
    Thread end =
        inBackground(
            exit == 0 ? "success" : "fail",
            PingReport.of(tookMs, exit, withoutOutput ? null : tail.text()),
            begin);
    await(end);
    return exit;
  }

  private int run(OutputTail tail) {
    try {
      Process process = process();
      var hook = new Thread(process::destroy);
      Runtime.getRuntime().addShutdownHook(hook);
      var outputs = new ArrayList<PassedOutput>();
      if (!withoutOutput) {
        Environment around = session.environment();
        outputs.add(PassedOutput.start(process.getInputStream(), around.out(), tail));
        outputs.add(PassedOutput.start(process.getErrorStream(), around.err(), tail));
      }
      int exit = process.waitFor();
      for (PassedOutput output : outputs) {
        output.awaitEnd();
      }
      Runtime.getRuntime().removeShutdownHook(hook);
      return exit;
    } catch (IOException e) {
      session.note("cannot run " + command.get(0) + ": " + e.getMessage());
      byte[] text = String.valueOf(e.getMessage()).getBytes(StandardCharsets.UTF_8);
      tail.add(text, text.length);
      return NOT_RUN;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return NOT_RUN;
    }
  }

  private Process process() throws IOException {
    var builder =
        new ProcessBuilder(command)
            .directory(session.environment().folder().toAbsolutePath().toFile())
            .redirectInput(ProcessBuilder.Redirect.INHERIT);
    return withoutOutput ? builder.inheritIO().start() : builder.start();
  }

  /* In a thread of its own, after the one before: a server that hangs keeps nothing waiting. */
  private Thread inBackground(String what, JsonNode report, @Nullable Thread before) {
    return daemon(
        () -> {
          try {
            if (before != null) {
              before.join();
            }
            session.ask(Call.post("pings", key, what).sending(report));
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (RuntimeException e) {
            session.note("the ping '%s' was not heard: %s".formatted(what, e.getMessage()));
          }
        });
  }

  private void await(Thread ping) {
    try {
      ping.join(TimeUnit.SECONDS.toMillis(LAST_WAIT_SECONDS));
      if (ping.isAlive()) {
        session.note("the server does not answer; the last ping may not have been heard");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Thread daemon(Runnable work) {
    var thread = new Thread(work, "carillon-ping");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
