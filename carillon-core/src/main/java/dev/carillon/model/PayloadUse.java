package dev.carillon.model;

/** Whether a list is read with the payloads of its items. */
public enum PayloadUse {
  /** Payloads are read, and count for the size of a page. */
  INCLUDED,

  /** Payloads are not read: each item has {@link Payload#EMPTY}. */
  LEFT_OUT
}
