package dev.carillon.server.web;

import java.util.concurrent.ThreadFactory;

/** Threads that do not keep the process alive. */
public final class DaemonThreads {
  private DaemonThreads() {}

  /** Return what makes threads called {@code name}. */
  public static ThreadFactory called(String name) {
    return task -> {
      var thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
