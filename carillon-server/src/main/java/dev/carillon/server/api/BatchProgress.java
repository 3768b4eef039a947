package dev.carillon.server.api;

import dev.carillon.BatchLog;
import dev.carillon.json.Json;
import dev.carillon.server.web.KeyedRequest;
import dev.carillon.server.web.Reply;
import dev.carillon.store.jdbc.Transaction;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * How far a request that changes many has come.
 *
 * @param matched how many were found at first
 * @param first the first of them, as they are answered
 * @param end where those that were found end
 * @param mark the last batch, if there was one
 */
record BatchProgress(int matched, List<?> first, String end, Optional<BatchLog.Mark> mark) {
  /** Begin with what was found. */
  static BatchProgress of(int matched, List<?> first, String end) {
    return new BatchProgress(matched, first, end, Optional.empty());
  }

  /** Go on from what {@link #written} wrote. */
  static BatchProgress read(String json) {
    Map<String, @Nullable Object> fields = Json.readObject(json);
    return new BatchProgress(
        Integer.parseInt(text(fields, "matched")),
        (List<?>) Optional.ofNullable(fields.get("first")).orElse(List.of()),
        text(fields, "end"),
        Optional.of(
            new BatchLog.Mark(text(fields, "last"), Long.parseLong(text(fields, "changed")))));
  }

  private static String text(Map<String, @Nullable Object> fields, String name) {
    return String.valueOf(fields.get(name));
  }

  private String written(BatchLog.Mark at) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("matched", matched);
    fields.put("first", first);
    fields.put("end", end);
    fields.put("last", at.last());
    fields.put("changed", at.changed());
    return Json.write(fields);
  }

  /** Keep how far it comes with {@code request}, and in the end {@code answer} to all changed. */
  BatchLog log(KeyedRequest request, LongFunction<Reply> answer) {
    return new BatchLog() {
      @Override
      public void begin(Transaction tx, Optional<Mark> before) {
        request.begin(tx, before.map(BatchProgress.this::written));
      }

      @Override
      public void advance(Transaction tx, Optional<Mark> before, Mark after) {
        request.advance(tx, before.map(BatchProgress.this::written), written(after));
      }

      @Override
      public void finish(Transaction tx, Optional<Mark> before, long changed) {
        request.finish(tx, before.map(BatchProgress.this::written), answer.apply(changed));
      }
    };
  }
}
