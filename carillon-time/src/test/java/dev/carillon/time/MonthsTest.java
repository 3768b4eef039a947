package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class MonthsTest {
  @Test
  void every_day_of_the_table_is_found_in_its_month() {
    for (LocalDate day = LocalDate.EPOCH; day.getYear() < 2200; day = day.plusDays(1)) {
      int month = Months.containing((int) day.toEpochDay());

      assertThat(month).isEqualTo((day.getYear() - 1970) * 12 + day.getMonthValue() - 1);
      assertThat(Months.length(month)).isEqualTo(day.lengthOfMonth());
      assertThat(Months.firstWeekday(month))
          .isEqualTo(day.withDayOfMonth(1).getDayOfWeek().getValue() % 7);
    }
  }
}
