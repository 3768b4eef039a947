package dev.carillon.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.carillon.cli.console.Json;

/**
 * As many items of a list as were asked for.
 *
 * @param items those
 * @param more whether the list has more
 */
public record Listing(ArrayNode items, boolean more) {
  private static final int MAX_PAGE_SIZE = 500;

  /** Ask for pages until there are {@code limit} items, or no more. */
  public static Listing of(Client client, Call call, int limit) {
    ArrayNode items = Json.object().arrayNode();
    Call next = call;
    while (true) {
      int wanted = Math.min(MAX_PAGE_SIZE, limit - items.size());
      JsonNode page = client.send(next.with("limit", wanted)).body();
      page.path("items").forEach(items::add);
      String cursor = Json.text(page, "/nextCursor");
      if (cursor.isEmpty() || items.size() >= limit) {
        return new Listing(items, !cursor.isEmpty());
      }
      next = call.with("cursor", cursor);
    }
  }
}
