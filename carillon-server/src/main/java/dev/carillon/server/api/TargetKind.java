package dev.carillon.server.api;

import dev.carillon.TargetRegistry;
import dev.carillon.model.Failure;
import dev.carillon.model.Payload;
import dev.carillon.server.store.StoredTarget;
import dev.carillon.server.web.Problem.FieldError;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A kind of target that can be defined while a server runs. */
public interface TargetKind {
  /** Return what is wrong with {@code settings}; nothing if they can be used. */
  List<FieldError> errors(Map<String, ? extends @Nullable Object> settings);

  /** Make runs with the label of {@code target} go there. */
  void register(TargetRegistry registry, StoredTarget target);

  /** Return why runs would fail with {@code settings} as things stand; may take a moment. */
  List<Failure> warnings(Map<String, ? extends @Nullable Object> settings);

  /** Send {@code target} a message that is no run, and report once what came of it. */
  void test(StoredTarget target, Payload payload, Consumer<TargetTestReport> done);

  /**
   * Return {@code settings} as others may see them, without secrets.
   *
   * @param whole whether with the query of URLs, for those who may change them
   */
  Map<String, Object> shown(Map<String, ? extends @Nullable Object> settings, boolean whole);
}
