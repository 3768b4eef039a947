package dev.carillon.postgres;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Another JVM that runs a server on a folder until it is killed, or until its input ends. */
final class OtherProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;

  private OtherProcess(Process process) {
    this.process = process;
    this.output = process.inputReader(StandardCharsets.UTF_8);
  }

  static OtherProcess on(Path data) throws IOException {
    return launch(OtherProcess.class, data.toString());
  }

  static OtherProcess launch(Class<?> main, String... arguments) throws IOException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var command =
        List.of(java, "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"));
    return new OtherProcess(
        new ProcessBuilder(
                Stream.of(command, List.of(main.getName()), List.of(arguments))
                    .flatMap(List::stream)
                    .toList())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /** Start a server, say so, write a row, say so, and wait to be killed. */
  public static void main(String[] arguments) throws IOException {
    try (var postgres = LocalPostgres.start(Path.of(arguments[0]), "carillon serve", step -> {})) {
      postgres.announce("http://127.0.0.1:8080");
      Sql.on(postgres).run("create table if not exists bell as select 'dong' as sound");
      System.out.println("ready");
      while (System.in.read() >= 0) {}
    } catch (PostgresException e) {
      System.out.println(e.getMessage());
    }
  }

  long pid() {
    return process.pid();
  }

  /** Return the next line it prints. */
  String line() throws IOException {
    return String.valueOf(output.readLine());
  }

  /** Kill it as {@code kill -9} does, and wait until it is gone. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Let it end in good order. */
  void finish() throws IOException, InterruptedException {
    process.getOutputStream().close();
    process.waitFor(60, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    kill();
  }
}
