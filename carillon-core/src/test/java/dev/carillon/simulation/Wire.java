package dev.carillon.simulation;

/** What stands between a node and its database, and may fail it. */
interface Wire {
  /** What becomes of a statement or a commit. */
  enum Fate {
    /** It is done. */
    DONE,
    /** It is not done: the connection is lost before. */
    LOST_BEFORE,
    /** It is done, but the connection is lost before the answer: the node cannot know. */
    LOST_AFTER,
    /** It is not done, but the node is told it is: a lie no database tells, for planted bugs. */
    FORGOTTEN,
    /** The node dies before. */
    DEAD_BEFORE,
    /** It is done, and the node dies before it learns so. */
    DEAD_AFTER
  }

  /** Decide about a statement that is about to be sent; others may act before that. */
  Fate statement(boolean commits);

  /** Decide about a commit that is about to be sent; others may act before that. */
  Fate commit();

  /** Return the text that is sent for {@code sql}. */
  String text(String sql);

  /** Tell whether what was sent so far is committed before {@code sql}: a bug, if so. */
  boolean splits(String sql);

  /** Return the end of this node, which has happened. */
  SimulatedCrash crash();

  /** Tell whether the node is dead. */
  boolean isDead();
}
