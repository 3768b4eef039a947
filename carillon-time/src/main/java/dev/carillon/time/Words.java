package dev.carillon.time;

import java.util.List;

/** Small pieces of English. */
final class Words {
  private Words() {}

  /** Join as {@code a, b and c}. */
  static String and(List<String> items) {
    return join(items, " and ");
  }

  private static String join(List<String> items, String last) {
    int size = items.size();
    return size < 2
        ? String.join("", items)
        : String.join(", ", items.subList(0, size - 1)) + last + items.get(size - 1);
  }

  /** Number as {@code 1st}, {@code 2nd}, {@code 11th}. */
  static String ordinal(int number) {
    boolean teen = number / 10 % 10 == 1;
    String ending =
        switch (teen ? 0 : number % 10) {
          case 1 -> "st";
          case 2 -> "nd";
          case 3 -> "rd";
          default -> "th";
        };
    return number + ending;
  }

  /** Two digits, as clocks show them. */
  static String two(int number) {
    return number < 10 ? "0" + number : "" + number;
  }

  /** Say {@code every 5 minutes}, or {@code every minute} for one. */
  static String every(int count, String unit) {
    return count == 1 ? "every " + unit : "every " + count + " " + unit + "s";
  }
}
