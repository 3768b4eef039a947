package dev.carillon.time;

import java.util.List;

/** Formats parts of English sentences: lists, ordinals and counts. */
final class EnglishText {
  private EnglishText() {}

  /** Join as {@code a, b and c}. */
  static String and(List<String> items) {
    int size = items.size();
    return size < 2
        ? String.join("", items)
        : String.join(", ", items.subList(0, size - 1)) + " and " + items.get(size - 1);
  }

  /** Format as {@code 1st}, {@code 2nd}, {@code 11th}. */
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

  static String twoDigits(int number) {
    return number < 10 ? "0" + number : "" + number;
  }

  /** Format as {@code every 5 minutes}, or {@code every minute} for one. */
  static String every(int count, String unit) {
    return count == 1 ? "every " + unit : "every " + count + " " + unit + "s";
  }
}
