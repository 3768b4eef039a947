package dev.carillon.server.api;

import dev.carillon.server.read.ContractText;
import dev.carillon.time.Due;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How clients see what moved a due time. */
final class MoveView {
  private MoveView() {}

  static Map<String, @Nullable Object> of(Due.Move move) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("to", ContractText.of(move.to()));
    view.put("policy", ContractText.word(move.policy()));
    view.put("by", move.by());
    view.put("because", move.because());
    return view;
  }
}
