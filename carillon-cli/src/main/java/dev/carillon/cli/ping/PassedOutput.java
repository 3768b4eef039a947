package dev.carillon.cli.ping;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Passes on what a process prints, byte by byte, and keeps the end of it. */
final class PassedOutput {
  /* More than a pipe holds, so all that the process itself has printed. */
  private static final long LEFT_BEHIND = 2L << 20;

  private final Thread thread;
  private final AtomicLong passed = new AtomicLong();
  private volatile boolean writing;

  private PassedOutput(InputStream from, OutputStream to, OutputTail tail) {
    thread = new Thread(() -> pass(from, to, tail), "carillon-ping");
    thread.setDaemon(true);
  }

  static PassedOutput start(InputStream from, OutputStream to, OutputTail tail) {
    var output = new PassedOutput(from, to, tail);
    output.thread.start();
    return output;
  }

  /* If nobody takes it any more, the process is told so as without this one: its pipe is closed. */
  private void pass(InputStream from, OutputStream to, OutputTail tail) {
    var buffer = new byte[8_192];
    try (from) {
      for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
        tail.add(buffer, read);
        writing = true;
        to.write(buffer, 0, read);
        to.flush();
        writing = false;
        passed.addAndGet(read);
      }
    } catch (IOException e) {
      writing = false; // one of the two has ended
    }
  }

  /**
   * Wait, once the process has ended, until all that it printed is passed on. A child that it left
   * behind may hold the pipe open, and even print more; that is not waited for.
   */
  void awaitEnd() throws InterruptedException {
    long atEnd = passed.get();
    long before;
    do {
      before = passed.get();
      thread.join(TimeUnit.SECONDS.toMillis(1));
    } while (thread.isAlive()
        && (writing || passed.get() > before)
        && passed.get() - atEnd < LEFT_BEHIND);
  }
}
