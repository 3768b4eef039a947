package dev.carillon.server.watch;

import dev.carillon.server.watch.DatabaseMonitor.Outage;

/** The database was not asked, or not waited for, because it is known to be away. */
public final class DatabaseUnavailableException extends RuntimeException {
  private final transient Outage outage;

  DatabaseUnavailableException(Outage outage) {
    super(outage.text());
    this.outage = outage;
  }

  /** Return since when the database is away, and why. */
  public Outage outage() {
    return outage;
  }
}
