package dev.carillon.console.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests a {@link RealServer}, the same for all scenarios of a class, and a {@link Chromium},
 * the same for all classes: starting them takes longer than most scenarios. Without a browser they
 * are skipped and say so, unless {@code -Dbrowser.required=true}.
 */
final class WithConsole implements ExecutionCondition, ParameterResolver {
  private static final Namespace SHARED = Namespace.create(WithConsole.class);
  private static final AtomicBoolean SAID = new AtomicBoolean();

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (Chromium.installed().isPresent()) {
      return ConditionEvaluationResult.enabled("a browser is installed");
    }
    String says =
        "no browser is installed (Debian: chromium), so the tests of the console are skipped";
    if (Boolean.getBoolean("browser.required")) {
      throw new IllegalStateException(says.replace("skipped", "required here"));
    }
    if (!SAID.getAndSet(true)) {
      System.err.println(says);
    }
    return ConditionEvaluationResult.disabled(says);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == RealServer.class || type == Chromium.class;
  }

  /* What is in the store of the root is closed after the last class. */
  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    ExtensionContext.Store shared = context.getRoot().getStore(SHARED);
    return parameter.getParameter().getType() == Chromium.class
        ? shared.computeIfAbsent(Chromium.class, type -> Chromium.start(), Chromium.class)
        : shared
            .computeIfAbsent(ServerOfClass.class, type -> new ServerOfClass(), ServerOfClass.class)
            .of(context.getRequiredTestClass());
  }

  /**
   * The server of the class that is tried now: what others leave behind changes no figure of it.
   */
  private static final class ServerOfClass implements AutoCloseable {
    private @Nullable Class<?> tried;
    private @Nullable RealServer server;

    RealServer of(Class<?> test) {
      if (server == null || test != tried) {
        close();
        server = startServer();
        tried = test;
      }
      return server;
    }

    @Override
    public void close() {
      if (server != null) {
        server.close();
      }
    }
  }

  private static RealServer startServer() {
    try {
      Path folder = Files.createTempDirectory("console-server");
      var server = new RealServer(folder, 0);
      Seed.plant(server);
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
