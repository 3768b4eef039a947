package dev.carillon.cli.rooms.broken.cli;

/** Prints what it is given as it is. */
public final class PrintsDirectly {
  public void print(String text) {
    System.out.println(text);
  }
}
