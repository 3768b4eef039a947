package dev.carillon.console.browser;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives the tests of a class a {@link RealServer} and a {@link Chromium}, the same for all of them.
 * Without a browser they are skipped and say so, unless {@code -Dbrowser.required=true}.
 */
final class WithConsole implements ExecutionCondition, ParameterResolver, AfterAllCallback {
  private @Nullable RealServer server;
  private @Nullable Chromium browser;

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (Chromium.installed().isPresent()) {
      return ConditionEvaluationResult.enabled("a browser is installed");
    }
    String says =
        "no browser is installed (Debian: chromium); the tests of the console are skipped";
    if (Boolean.getBoolean("browser.required")) {
      throw new IllegalStateException(says.replace("skipped", "required here"));
    }
    return ConditionEvaluationResult.disabled(says);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == RealServer.class || type == Chromium.class;
  }

  @Override
  public synchronized Object resolveParameter(
      ParameterContext parameter, ExtensionContext context) {
    if (parameter.getParameter().getType() == Chromium.class) {
      Chromium there = browser;
      browser = there == null ? Chromium.start() : there;
      return browser;
    }
    RealServer there = server;
    server = there == null ? startServer() : there;
    return server;
  }

  private static RealServer startServer() {
    try {
      Path folder = Files.createTempDirectory("console-server");
      folder.toFile().deleteOnExit();
      var server = new RealServer(folder, 0);
      Seed.plant(server);
      return server;
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void afterAll(ExtensionContext context) {
    if (browser != null) {
      browser.close();
    }
    if (server != null) {
      server.close();
    }
  }
}
