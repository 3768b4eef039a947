package dev.carillon.time;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Runs the cases of a {@link Property} one after another inside a single test. */
final class Cases implements ParameterResolver, InvocationInterceptor {
  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Gen.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return new Gen(0);
  }

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    invocation.skip();
    Long replayed = Long.getLong("seed");
    long firstSeed = replayed != null ? replayed : new SplittableRandom().nextLong();
    int cases = replayed != null ? 1 : scaled(context.getRequiredTestMethod());
    Counter counter =
        context
            .getRoot()
            .getStore(Namespace.create(Cases.class))
            .computeIfAbsent(Counter.class, type -> new Counter(), Counter.class);
    for (int i = 0; i < cases; i++) {
      run(method, firstSeed + i);
      counter.cases.incrementAndGet();
    }
  }

  private static int scaled(Method property) {
    double scale = Double.parseDouble(System.getProperty("property.scale", "1"));
    return (int) Math.ceil(property.getAnnotation(Property.class).cases() * scale);
  }

  private static void run(ReflectiveInvocationContext<Method> method, long seed) throws Exception {
    Method property = method.getExecutable();
    property.setAccessible(true);
    try {
      property.invoke(method.getTarget().orElseThrow(), new Gen(seed));
    } catch (InvocationTargetException e) {
      Throwable broken = e.getCause();
      throw new AssertionError(
          "replay with -Dseed=%s -Dtest=%s#%s%n%s"
              .formatted(
                  seed, property.getDeclaringClass().getSimpleName(), property.getName(), broken),
          broken);
    }
  }

  /** Says at the end of the test run how many cases there were. */
  private static final class Counter implements AutoCloseable {
    private final AtomicLong cases = new AtomicLong();

    @Override
    public void close() {
      System.out.println("property cases run: " + cases);
    }
  }
}
