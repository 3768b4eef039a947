package dev.carillon.store.jdbc;

import java.util.Locale;

/** The texts that tables hold for enum constants: their names in lower case. */
public final class EnumText {
  private EnumText() {}

  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  public static <E extends Enum<E>> E read(Class<E> type, String word) {
    return Enum.valueOf(type, word.toUpperCase(Locale.ROOT));
  }
}
