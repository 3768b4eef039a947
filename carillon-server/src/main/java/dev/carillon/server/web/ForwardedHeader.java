package dev.carillon.server.web;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads the header {@code Forwarded} of RFC 7239: elements with commas between them, each of pairs
 * with semicolons between them.
 */
final class ForwardedHeader {
  private final String list;
  private int at;

  private ForwardedHeader(String list) {
    this.list = list;
  }

  /** Return what each element says the request came from; empty where it does not say. */
  static List<String> hops(String list) {
    var header = new ForwardedHeader(list);
    var hops = new ArrayList<String>();
    do {
      hops.add(header.hop());
    } while (header.next());
    return hops;
  }

  private String hop() {
    String hop = "";
    while (true) {
      int begin = pairBegin(at);
      int equals = tokenEnd(begin);
      if (equals == begin || equals == list.length() || list.charAt(equals) != '=') {
        return hop;
      }
      String value = value(equals + 1);
      if (list.substring(begin, equals).equalsIgnoreCase("for")) {
        hop = value;
      }
    }
  }

  /* A quote that is never closed is no value. */
  private String value(int begin) {
    if (begin < list.length() && list.charAt(begin) == '"') {
      int end = closingQuote(begin + 1);
      at = end < 0 ? begin : end + 1;
      return end < 0 ? "" : list.substring(begin + 1, end);
    }
    int end = begin;
    while (end < list.length()
        && !isBlank(list.charAt(end))
        && ";,\"".indexOf(list.charAt(end)) < 0) {
      end++;
    }
    at = end;
    return list.substring(begin, end);
  }

  private int closingQuote(int from) {
    for (int i = from; i < list.length(); i++) {
      if (list.charAt(i) == '"') {
        return i;
      }
      if (list.charAt(i) == '\\') {
        i++;
      }
    }
    return -1;
  }

  private int tokenEnd(int from) {
    int end = from;
    while (end < list.length()
        && !isBlank(list.charAt(end))
        && "=;,\"".indexOf(list.charAt(end)) < 0) {
      end++;
    }
    return end;
  }

  private int pairBegin(int from) {
    int begin = from;
    while (begin < list.length() && (list.charAt(begin) == ';' || isBlank(list.charAt(begin)))) {
      begin++;
    }
    return begin;
  }

  private boolean next() {
    int comma = list.indexOf(',', at);
    at = comma + 1;
    return comma >= 0;
  }

  private static boolean isBlank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  }
}
