package dev.carillon.server.api;

import dev.carillon.server.read.JsonFields;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
import java.util.Optional;

/**
 * How far a change of many may reach, so that a filter that says too little changes nothing.
 *
 * @param expect how many were shown to the client; another number is refused
 * @param all whether all that match are meant, however many, and also without a filter
 * @param dryRun whether only to count what matches
 */
record BulkScope(Optional<Long> expect, boolean all, boolean dryRun) {
  /** Read the extent of a change by a filter: it must be said, unless nothing is changed. */
  static BulkScope read(JsonFields fields) {
    BulkScope scope = ofNamed(fields);
    if (!fields.has("expect") && !scope.all && !scope.dryRun) {
      fields.error(
          "expect", "say how many are to be changed, as dryRun: true tells, or say all: true");
    }
    return scope;
  }

  /** Read the extent of a change of things that are named one by one: it may be said. */
  static BulkScope ofNamed(JsonFields fields) {
    return new BulkScope(
        fields.whole("expect", 0, Integer.MAX_VALUE),
        fields.flag("all").orElse(false),
        fields.flag("dryRun").orElse(false));
  }

  /** Say so if a filter leaves nothing out, and all is not said. */
  void checkFilter(JsonFields fields, boolean narrows, String names) {
    if (fields.fine() && !narrows && !all) {
      fields.error("filter", "name a %s; or say all: true".formatted(names));
    }
  }

  /** Refuse the change if another number was expected. */
  void check(long matched) {
    if (expect.filter(number -> number != matched).isPresent()) {
      throw changed(expect.get(), "%s match by now".formatted(matched));
    }
  }

  static ProblemException changed(long expected, String found) {
    return new ProblemException(
        ProblemKind.COUNT_CHANGED,
        "%s were expected, but %s. Nothing was changed; look again.".formatted(expected, found));
  }
}
