package dev.carillon.targets;

import dev.carillon.model.Payload;
import dev.carillon.target.Outcome;
import dev.carillon.target.RunContext;
import dev.carillon.target.Target;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A target that writes each run to the log. */
public final class LogTarget implements Target {
  /** The maximum number of payload characters that are logged. */
  public static final int MAX_PAYLOAD = 4_000;

  private static final Logger LOG = LoggerFactory.getLogger(LogTarget.class);

  /** Log a test message, which belongs to no run. */
  public static void test(String label, Payload payload) {
    LOG.info("{}: test: {}", label, SafeText.line(payload.json(), MAX_PAYLOAD));
  }

  @Override
  public void start(RunContext context, Consumer<Outcome> done) {
    LOG.info(
        "{}: run {} of {}, slot {}, attempt {}: {}",
        context.target(),
        context.id(),
        context.schedule().orElse("no schedule"),
        context.slot(),
        context.attempt(),
        SafeText.line(context.payload().json(), MAX_PAYLOAD));
    done.accept(Outcome.succeeded());
  }
}
