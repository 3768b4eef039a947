package dev.carillon.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which things are meant, as a query or as a part of a body. */
public final class FilterCriteria {
  private final ObjectNode wanted = Json.object();
  private final Map<String, String> query = new LinkedHashMap<>();

  /** Return this with a text that an option gives, unless it is not given; empty is refused. */
  public FilterCriteria with(String option, String name, @Nullable String value) {
    OptionValues.filled(option, value);
    if (value != null) {
      wanted.put(name, value);
      query.put(name, value);
    }
    return this;
  }

  /** Return this with a value, unless there is none. */
  public FilterCriteria with(String name, Optional<JsonNode> value) {
    value.ifPresent(
        json -> {
          wanted.set(name, json);
          query.put(name, Json.write(json));
        });
    return this;
  }

  /**
   * Refuse a change unless its things are named, narrowed by options, or all: one of the three.
   *
   * @param things such as {@code schedules}
   * @param names what they are named by, such as {@code keys}
   * @param option one that narrows them
   */
  public void requireOneSelection(
      List<String> named, boolean all, String things, String names, String option) {
    boolean narrowed = !wanted.isEmpty();
    if (named.isEmpty() != (narrowed || all) || (narrowed && all)) {
      throw Session.wrong(
          named.isEmpty() && !narrowed
              ? "say which %s: their %s, options such as %s, or --all"
              : "%2$s, options such as %3$s, and --all exclude each other; drop one",
          things,
          names,
          option);
    }
  }

  /** Return {@code call} for those that are meant. */
  public Call on(Call call) {
    Call filtered = call;
    for (Map.Entry<String, String> each : query.entrySet()) {
      filtered = filtered.with(each.getKey(), each.getValue());
    }
    return filtered;
  }

  /** Put them into {@code body}: a filter, or that all are meant. */
  public void addTo(ObjectNode body, boolean all) {
    if (all) {
      body.put("all", true);
    } else {
      body.set("filter", wanted.deepCopy());
    }
  }
}
