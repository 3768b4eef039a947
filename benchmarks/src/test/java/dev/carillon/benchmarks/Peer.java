package dev.carillon.benchmarks;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import dev.carillon.benchmarks.Reading.Days;
import java.text.ParseException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.Optional;
import java.util.TimeZone;
import org.springframework.scheduling.support.CronExpression;

/** A library whose fire times are compared with Carillon's. */
enum Peer {
  SPRING {
    @Override
    Fires read(String expression, ZoneId zone) {
      CronExpression cron = CronExpression.parse(expression);
      return after ->
          Optional.ofNullable(cron.next(after.atZone(zone))).map(ZonedDateTime::toInstant);
    }

    @Override
    String write(PlainCron cron) {
      return cron.spring();
    }

    @Override
    Days days(PlainCron cron) {
      return Days.BOTH;
    }
  },

  QUARTZ {
    @Override
    Fires read(String expression, ZoneId zone) {
      try {
        var cron = new org.quartz.CronExpression(expression);
        cron.setTimeZone(TimeZone.getTimeZone(zone));
        return after ->
            Optional.ofNullable(cron.getNextValidTimeAfter(Date.from(after))).map(Date::toInstant);
      } catch (ParseException e) {
        throw new IllegalArgumentException(e.getMessage(), e);
      }
    }

    @Override
    String write(PlainCron cron) {
      return cron.quartz();
    }

    @Override
    boolean combinesDays() {
      return false;
    }
  },

  CRON_UTILS {
    @Override
    Fires read(String expression, ZoneId zone) {
      var time = ExecutionTime.forCron(UNIX.parse(expression));
      return after -> time.nextExecution(after.atZone(zone)).map(ZonedDateTime::toInstant);
    }

    @Override
    String write(PlainCron cron) {
      return cron.unix();
    }

    @Override
    Days days(PlainCron cron) {
      return cron.hasStepOfOneDay() ? Days.BOTH : Days.EITHER;
    }

    @Override
    boolean hasSeconds() {
      return false;
    }

    @Override
    boolean hasLastAndNearest() {
      return false;
    }
  };

  private static final CronParser UNIX =
      new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

  /** Answers when an expression fires next, in some zone. */
  @FunctionalInterface
  interface Fires {
    Optional<Instant> next(Instant after);
  }

  /** Parse an expression of the peer's own dialect. */
  abstract Fires read(String expression, ZoneId zone);

  /** Translate an expression to the peer's own dialect. */
  abstract String write(PlainCron cron);

  boolean hasSeconds() {
    return true;
  }

  /** Whether the dialect knows {@code L}, {@code W} and {@code #}. */
  boolean hasLastAndNearest() {
    return true;
  }

  /** Whether the dialect lets day of month and day of week both be restricted. */
  boolean combinesDays() {
    return true;
  }

  /** How the peer combines day of month and day of week when both are restricted. */
  Days days(PlainCron cron) {
    return Days.EITHER;
  }
}
