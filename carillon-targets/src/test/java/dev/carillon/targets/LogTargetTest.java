package dev.carillon.targets;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.carillon.model.Payload;
import dev.carillon.target.Outcome;
import dev.carillon.targets.http.TestRun;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogTargetTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger(LogTarget.class);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @BeforeEach
  void listen() {
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
    logger.addAppender(log);
    log.start();
  }

  @AfterEach
  void leave() {
    logger.detachAppender(log);
  }

  @Test
  void a_run_is_logged_with_its_payload() throws Exception {
    TestRun run = TestRun.of("nightly").on(new LogTarget());

    assertThat(run.outcome()).isEqualTo(Outcome.succeeded());
    assertThat(log.list).hasSize(1);
    assertThat(log.list.get(0).getLevel()).isEqualTo(Level.INFO);
    assertThat(log.list.get(0).getFormattedMessage())
        .isEqualTo(
            "hook: run %s of nightly, slot 2026-03-01T02:00:00Z, attempt 1: {\"to\":\"ops\"}"
                .formatted(run.id()));
  }

  @Test
  void a_long_payload_is_cut_and_forges_no_line() throws Exception {
    TestRun.adHoc()
        .payload(Payload.of("a", "\u2028\u202e" + "x".repeat(10_000)))
        .on(new LogTarget());

    String message = log.list.get(0).getFormattedMessage();
    assertThat(message).contains("of no schedule", "\\u2028\\u202exxx").endsWith("x…");
    assertThat(message.length()).isLessThan(LogTarget.MAX_PAYLOAD + 200);
  }

  @Test
  void nothing_can_be_done_as_well() throws Exception {
    assertThat(TestRun.adHoc().on(new NoopTarget()).outcome()).isEqualTo(Outcome.succeeded());
  }
}
