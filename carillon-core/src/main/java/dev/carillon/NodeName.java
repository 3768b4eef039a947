package dev.carillon;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The name of a node that has been given none: the host and the process it runs on. */
final class NodeName {
  private static final Path KERNEL = Path.of("/proc/sys/kernel/hostname");
  private static final int MAX_HOST = 150;

  private NodeName() {}

  static String ofThisProcess() {
    return of(host(KERNEL, System.getenv()), ProcessHandle.current().pid());
  }

  static String of(String host, long process) {
    String shown = host.length() > MAX_HOST ? host.substring(0, MAX_HOST) : host;
    return shown + "-" + process;
  }

  /* The resolver comes last: it may ask the network, and be slow to learn that there is none. */
  static String host(Path kernel, Map<String, String> environment) {
    return Stream.concat(
            firstLine(kernel).stream(),
            Stream.of("HOSTNAME", "COMPUTERNAME")
                .flatMap(name -> Optional.ofNullable(environment.get(name)).stream()))
        .map(String::strip)
        .filter(name -> name.matches("[\\p{Alnum}._-]+"))
        .findFirst()
        .orElseGet(NodeName::resolved);
  }

  private static Optional<String> firstLine(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.findFirst();
    } catch (IOException e) { // many systems have no such file; the name comes from elsewhere
      return Optional.empty();
    }
  }

  private static String resolved() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) { // a host without a name of its own
      return "localhost";
    }
  }
}
