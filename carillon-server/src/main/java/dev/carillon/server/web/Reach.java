package dev.carillon.server.web;

/** What callers whose scope leaves something out reach by a route. */
public enum Reach {
  /** All of it: nothing here is about schedules, runs or targets. */
  ALL,
  /** What is in their scope: the handler sees to it. */
  SCOPE,
  /** Nothing: it is about the cluster as a whole. */
  NOTHING
}
