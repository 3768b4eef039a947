package dev.carillon.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final StringWriter out = new StringWriter();
  private final AtomicLong nanos = new AtomicLong();

  @Test
  void on_a_terminal_one_line_changes() {
    Progress progress = progress(true);
    progress.step("drain", "warm-up");
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
    progress.at(0.439, "41,200 runs/s");
    progress.clear();

    assertThat(out.toString())
        .isEqualTo(
            "\r\u001b[Kdrain   warm-up"
                + "\r\u001b[Kdrain   warm-up                           43 %  41,200 runs/s"
                + "\r\u001b[K");
  }

  @Test
  void elsewhere_a_step_is_told_at_its_begin_and_its_end_and_not_too_often_between() {
    Progress progress = progress(false);
    progress.step("drain", "warm-up");
    for (int second = 0; second < 15; second++) {
      progress.at(second / 15.0, "busy");
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    }
    progress.end("41,200 runs/s");

    assertThat(out.toString().lines())
        .containsExactly(
            "drain   warm-up",
            "drain   warm-up                           66 %  busy",
            "drain   warm-up                          41,200 runs/s");
  }

  @Test
  void what_is_usually_quick_is_told_elsewhere_only_once_it_takes_long() {
    nanos.set(1);
    Progress progress = progress(false);
    for (int second = 0; second < 15; second++) {
      progress.quietly(second / 15.0, "checking x");
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    }

    assertThat(out.toString().lines()).containsExactly(" 66 %  checking x");
  }

  @Test
  void the_same_trouble_is_told_once() {
    Progress progress = progress(false);
    progress.note("warning: fsync is off");
    progress.note("warning: fsync is off");

    assertThat(out.toString().lines()).containsExactly("carillon: warning: fsync is off");
  }

  @Test
  void whoever_was_silenced_says_nothing() {
    Progress progress = progress(false);
    progress.silence();
    progress.note("the database is gone");

    assertThat(out.toString()).isEmpty();
  }

  private Progress progress(boolean terminal) {
    return new Progress(new PrintWriter(out), terminal, "\r\u001b[K", nanos::get);
  }
}
