package dev.carillon.time;

/**
 * The times of day that match: the second, minute and hour fields as bit sets. Times are seconds
 * from midnight.
 *
 * @param first the first matching time
 */
record TimesOfDay(long seconds, long minutes, int hours, int first) {
  static final int NONE = -1;
  static final int DAY = 86_400;

  private static final int EVERY_HOUR = 0xff_ffff;

  boolean everyHour() {
    return hours == EVERY_HOUR;
  }

  static TimesOfDay of(long seconds, long minutes, int hours) {
    int first =
        at(
            Integer.numberOfTrailingZeros(hours),
            Long.numberOfTrailingZeros(minutes),
            Long.numberOfTrailingZeros(seconds));
    return new TimesOfDay(seconds, minutes, hours, first);
  }

  int last() {
    return at(highest(hours), highest(minutes), highest(seconds));
  }

  int perDay() {
    return Integer.bitCount(hours) * Long.bitCount(minutes) * Long.bitCount(seconds);
  }

  /** Return the first matching time at or after {@code time}, or {@link #NONE}. */
  int atOrAfter(int time) {
    int hour = time / 3600;
    if ((hours >>> hour & 1) != 0) {
      int minute = time / 60 % 60;
      if ((minutes >>> minute & 1) != 0) {
        long rest = seconds & -1L << time % 60;
        if (rest != 0) {
          return at(hour, minute, Long.numberOfTrailingZeros(rest));
        }
      }
      long rest = minutes & -2L << minute;
      if (rest != 0) {
        return at(hour, Long.numberOfTrailingZeros(rest), Long.numberOfTrailingZeros(seconds));
      }
    }
    int rest = hours & -2 << hour;
    return rest == 0
        ? NONE
        : at(
            Integer.numberOfTrailingZeros(rest),
            Long.numberOfTrailingZeros(minutes),
            Long.numberOfTrailingZeros(seconds));
  }

  /** Return the last matching time at or before {@code time}, or {@link #NONE}. */
  int atOrBefore(int time) {
    int hour = time / 3600;
    if ((hours >>> hour & 1) != 0) {
      int minute = time / 60 % 60;
      if ((minutes >>> minute & 1) != 0) {
        long rest = seconds & below(time % 60 + 1);
        if (rest != 0) {
          return at(hour, minute, highest(rest));
        }
      }
      long rest = minutes & below(minute);
      if (rest != 0) {
        return at(hour, highest(rest), highest(seconds));
      }
    }
    long rest = hours & below(hour);
    return rest == 0 ? NONE : at(highest(rest), highest(minutes), highest(seconds));
  }

  /** Count the matching times before {@code time}. */
  int countBefore(int time) {
    int hour = time / 3600;
    int minute = time / 60 % 60;
    int count = Long.bitCount(hours & below(hour)) * Long.bitCount(minutes);
    if ((hours >>> hour & 1) != 0) {
      count += Long.bitCount(minutes & below(minute));
    }
    count *= Long.bitCount(seconds);
    if ((hours >>> hour & 1) != 0 && (minutes >>> minute & 1) != 0) {
      count += Long.bitCount(seconds & below(time % 60));
    }
    return count;
  }

  private static int at(int hour, int minute, int second) {
    return hour * 3600 + minute * 60 + second;
  }

  private static long below(int bit) {
    return (1L << bit) - 1;
  }

  private static int highest(long bits) {
    return 63 - Long.numberOfLeadingZeros(bits);
  }
}
