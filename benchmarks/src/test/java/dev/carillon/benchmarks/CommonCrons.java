package dev.carillon.benchmarks;

import dev.carillon.benchmarks.PlainCron.DayField;
import dev.carillon.benchmarks.PlainCron.Field;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** An endless seeded stream of valid expressions that a given peer can express as well. */
final class CommonCrons {

  private static final List<String> WEEKDAYS =
      List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");
  private static final Field ZERO = new Field("0", only(0));
  private static final DayField ANY_DAY = new DayField("*", "*", day -> true);

  private final Random random;
  private final Peer peer;

  CommonCrons(Random random, Peer peer) {
    this.random = random;
    this.peer = peer;
  }

  PlainCron next() {
    boolean everyDay = oneIn(3);
    DayField dom = everyDay || oneIn(2) ? ANY_DAY : dayOfMonth();
    boolean domOnly = dom.restricted() && (!peer.combinesDays() || !oneIn(3));
    return new PlainCron(
        peer.hasSeconds() && oneIn(6) ? field(0, 59) : ZERO,
        field(0, 59),
        field(0, 23),
        dom,
        oneIn(4) ? field(1, 12) : new Field("*", range(1, 12, 1)),
        everyDay || domOnly || oneIn(4) ? ANY_DAY : dayOfWeek());
  }

  private DayField dayOfMonth() {
    if (peer.hasLastAndNearest() && oneIn(3)) {
      return specialDayOfMonth();
    }
    Field plain = field(1, 31);
    Predicate<LocalDate> matches = day -> plain.values().get(day.getDayOfMonth());
    return plain.text().equals("*") ? ANY_DAY : new DayField(plain.text(), plain.text(), matches);
  }

  private DayField specialDayOfMonth() {
    int n = between(1, 31);
    return switch (random.nextInt(5)) {
      case 0 -> special("L", day -> day.equals(last(day)));
      case 1 -> {
        int before = between(1, 30);
        yield special("L-" + before, day -> day.plusDays(before).equals(last(day)));
      }
      case 2 -> special("LW", day -> day.equals(nearestWeekday(last(day))));
      case 3 -> special(n + ",L", day -> day.getDayOfMonth() == n || day.equals(last(day)));
      default ->
          special(
              n + "W",
              day -> n <= day.lengthOfMonth() && day.equals(nearestWeekday(day.withDayOfMonth(n))));
    };
  }

  private static DayField special(String text, Predicate<LocalDate> matches) {
    return new DayField(text, text, matches);
  }

  private DayField dayOfWeek() {
    if (peer.hasLastAndNearest() && oneIn(3)) {
      return specialDayOfWeek();
    }
    Field plain = field(0, 7);
    BitSet days = new BitSet();
    plain.values().stream().forEach(day -> days.set(day % 7));
    String quartz = days.stream().mapToObj(WEEKDAYS::get).collect(Collectors.joining(","));
    return plain.text().equals("*")
        ? ANY_DAY
        : new DayField(plain.text(), quartz, day -> days.get(number(day)));
  }

  private DayField specialDayOfWeek() {
    int number = between(0, 6);
    DayOfWeek weekday = number == 0 ? DayOfWeek.SUNDAY : DayOfWeek.of(number);
    if (oneIn(2)) {
      var last = TemporalAdjusters.lastInMonth(weekday);
      return new DayField(number + "L", number + 1 + "L", day -> day.equals(day.with(last)));
    }
    int nth = between(1, 5);
    return new DayField(
        number + "#" + nth,
        number + 1 + "#" + nth,
        day -> day.getDayOfWeek() == weekday && (day.getDayOfMonth() + 6) / 7 == nth);
  }

  private Field field(int min, int max) {
    if (oneIn(4)) {
      return new Field("*", range(min, max, 1));
    }
    var texts = new ArrayList<String>();
    var values = new BitSet();
    int terms = oneIn(3) ? between(2, 4) : 1;
    for (int i = 0; i < terms; i++) {
      Field term = term(min, max);
      texts.add(term.text());
      values.or(term.values());
    }
    return new Field(String.join(",", texts), values);
  }

  private Field term(int min, int max) {
    int from = between(min, max - 1);
    int to = between(from + 1, max);
    int step = between(1, (max - min) / 2);
    return switch (random.nextInt(6)) {
      case 0 -> new Field(from + "-" + to, range(from, to, 1));
      case 1 -> new Field("*/" + step, range(min, max, step));
      case 2 -> new Field(from + "-" + to + "/" + step, range(from, to, step));
      case 3 -> new Field(from + "/" + step, range(from, max, step));
      default -> new Field("" + to, only(to));
    };
  }

  private static LocalDate last(LocalDate day) {
    return day.with(TemporalAdjusters.lastDayOfMonth());
  }

  /** Move a weekend day to Friday or Monday, whichever is nearer and in the same month. */
  private static LocalDate nearestWeekday(LocalDate day) {
    return switch (day.getDayOfWeek()) {
      case SATURDAY -> day.getDayOfMonth() == 1 ? day.plusDays(2) : day.minusDays(1);
      case SUNDAY -> day.equals(last(day)) ? day.minusDays(2) : day.plusDays(1);
      default -> day;
    };
  }

  private static int number(LocalDate day) {
    return day.getDayOfWeek().getValue() % 7;
  }

  private static BitSet only(int value) {
    return range(value, value, 1);
  }

  private static BitSet range(int from, int to, int step) {
    var values = new BitSet();
    for (int value = from; value <= to; value += step) {
      values.set(value);
    }
    return values;
  }

  private int between(int min, int max) {
    return min + random.nextInt(max - min + 1);
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }
}
