package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class MonthTableTest {
  @Test
  void every_day_of_the_table_is_found_in_its_month() {
    for (LocalDate day = LocalDate.EPOCH; day.getYear() < 2200; day = day.plusDays(1)) {
      int month = MonthTable.containing((int) day.toEpochDay());

      assertThat(month).isEqualTo((day.getYear() - 1970) * 12 + day.getMonthValue() - 1);
      assertThat(MonthTable.length(month)).isEqualTo(day.lengthOfMonth());
      assertThat(MonthTable.firstWeekday(month))
          .isEqualTo(day.withDayOfMonth(1).getDayOfWeek().getValue() % 7);
    }
  }
}
