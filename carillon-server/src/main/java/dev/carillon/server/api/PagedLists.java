package dev.carillon.server.api;

import dev.carillon.model.Page;
import dev.carillon.model.PayloadUse;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.web.QueryParameter;
import dev.carillon.server.web.Reply;
import dev.carillon.store.jdbc.PageRoom;
import dev.carillon.store.jdbc.PageTokenException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Lists, which are answered a page at a time. */
public final class PagedLists {
  /** What lists leave out unless it is asked for. */
  private enum Part {
    PAYLOAD
  }

  /** The parameter that asks for payloads. */
  public static final QueryParameter INCLUDE =
      QueryParameter.word(
          "include", ContractText.words(Part.class), "What to show as well: payload.");

  private PagedLists() {}

  /** Asks for a page: where the one before ended, and at most how many. */
  @FunctionalInterface
  public interface Asking<T> {
    Page<T> page(Optional<String> after, int limit);
  }

  /**
   * Return the page that {@code parameters} ask for; a cursor that was not issued here is refused.
   */
  public static <T> Page<T> ask(QueryParameters parameters, Asking<T> asking) {
    int limit = parameters.limit();
    Optional<String> cursor = parameters.place("cursor");
    parameters.done();
    try {
      return asking.page(cursor, limit);
    } catch (PageTokenException damaged) {
      parameters.error("cursor", String.valueOf(damaged.getMessage()));
      parameters.done();
      throw damaged;
    }
  }

  /** Return the page of {@code all}, which has them in the order of {@code name}. */
  public static <T> Page<T> slice(
      QueryParameters parameters, List<T> all, Function<? super T, String> name) {
    return slice(parameters, all, name, item -> 0);
  }

  /**
   * Return the page of {@code all}, which has them in the order of {@code name}.
   *
   * @param jsonBytes how large each is
   */
  public static <T> Page<T> slice(
      QueryParameters parameters,
      List<T> all,
      Function<? super T, String> name,
      ToLongFunction<? super T> jsonBytes) {
    return ask(
        parameters,
        (after, limit) -> {
          List<T> rest =
              all.stream()
                  .filter(item -> after.isEmpty() || name.apply(item).compareTo(after.get()) > 0)
                  .toList();
          PageRoom room = PageRoom.of(limit);
          List<T> items =
              rest.stream().takeWhile(item -> room.take(jsonBytes.applyAsLong(item))).toList();
          return new Page<>(
              items,
              room.isFull()
                  ? Optional.of(name.apply(items.get(items.size() - 1)))
                  : Optional.empty());
        });
  }

  /** Return whether the items are to be shown with their payloads. */
  public static PayloadUse payloads(QueryParameters parameters) {
    return parameters.word("include", Part.class).isPresent()
        ? PayloadUse.INCLUDED
        : PayloadUse.LEFT_OUT;
  }

  /** Answer with a page of things, each as {@code view} shows it. */
  public static <T> Reply reply(
      Page<T> page, Function<? super T, Map<String, @Nullable Object>> view) {
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("items", page.items().stream().map(view).toList());
    body.put("nextCursor", page.next().orElse(null));
    return Reply.ok(body);
  }
}
