package dev.carillon.server.api;

import dev.carillon.ScheduleDraft;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.web.ProblemException;
import dev.carillon.time.AllowedZones;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads schedules as REST clients write them, where there is no server that knows the targets. */
public final class ScheduleReader {
  private static final ScheduleForm FORM =
      new ScheduleForm(
          Defaults.BUILT_IN,
          fields -> fields.needed("target", "say what runs: the label of a target"),
          new TimingForm(AllowedZones.ALL));

  private ScheduleReader() {}

  /**
   * Read the schedule called {@code key}, whatever its target.
   *
   * @throws ProblemException with all that is wrong with it
   */
  public static ScheduleDraft read(String key, Map<String, @Nullable Object> json) {
    JsonFields fields = JsonFields.of(json);
    Optional<ScheduleDraft> draft = FORM.read(fields, key);
    fields.done();
    return draft.orElseThrow();
  }
}
