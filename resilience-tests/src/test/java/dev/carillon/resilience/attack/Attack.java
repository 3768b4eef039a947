package dev.carillon.resilience.attack;

import java.time.Duration;

/** Something hostile that is done to a server, which must keep its budgets meanwhile. */
interface Attack {
  /** Return what is done, in words. */
  String words();

  /** Do it; fail if the server does not answer it as it should. */
  void run(Victim victim, Scale scale) throws Exception;

  /**
   * How much is done.
   *
   * @param hold for how long what is open is held open
   * @param factor how many times as much as in the short form
   */
  record Scale(Duration hold, int factor) {}
}
