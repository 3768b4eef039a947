package dev.carillon.template;

import dev.carillon.json.Json;
import dev.carillon.model.Payload;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A payload whose texts are templates, which may take values from elsewhere in the same payload.
 * What a text was expanded to is never expanded again: a value that others take is filled in before
 * them, once.
 */
public final class PayloadTemplate {
  private final Payload payload;
  private final PayloadNode root;

  /* What changes from run to run, each after all that it takes values from. */
  private final List<PayloadNode> inOrder = new ArrayList<>();

  private PayloadTemplate(Payload payload, Map<String, @Nullable Object> content) {
    this.payload = payload;
    this.root = PayloadNode.tree(content);
  }

  /**
   * Parse all texts of {@code payload}.
   *
   * @throws TemplateSyntaxException if one is no template, takes a value that is not there, or
   *     takes itself, with its place; and for others of which that is true
   */
  public static PayloadTemplate parse(Payload payload) {
    try {
      var template = new PayloadTemplate(payload, payload.content());
      template.order();
      template.root.prune();
      return template;
    } catch (TemplateSyntaxException first) {
      throw first.and(PayloadMistakes.after(first, payload.content()));
    }
  }

  /* Only the first mistake is thrown. */
  static void check(Map<String, @Nullable Object> content) {
    new PayloadTemplate(Payload.EMPTY, content).order();
  }

  /** Tell whether every run has the same payload, the one that was written. */
  public boolean isConstant() {
    return inOrder.isEmpty();
  }

  private static final class Visit {
    final PayloadNode node;
    int next;

    Visit(PayloadNode node) {
      this.node = node;
    }
  }

  /* A depth-first walk without recursion, as values may take one another in a long line. */
  private void order() {
    Deque<Visit> open = new ArrayDeque<>();
    enter(root, open);
    while (!open.isEmpty()) {
      Visit visit = open.peek();
      if (visit.next == visit.node.uses().size()) {
        open.pop();
        leave(visit.node);
        continue;
      }
      PayloadNode.Use use = visit.node.uses().get(visit.next++);
      if (use.node().state == PayloadNode.State.OPEN) {
        throw visit.node.refuse(
            use, "%s contains this text, or takes its value from here; take a value that does not");
      }
      if (use.node().state == PayloadNode.State.NEW) {
        enter(use.node(), open);
      }
    }
  }

  private void enter(PayloadNode node, Deque<Visit> open) {
    node.resolve(root);
    node.state = PayloadNode.State.OPEN;
    open.push(new Visit(node));
  }

  private void leave(PayloadNode node) {
    node.state = PayloadNode.State.DONE;
    if (node.settle()) {
      node.number = inOrder.size();
      inOrder.add(node);
    }
    if (node.depth > Json.DEEPEST) {
      throw new TemplateSyntaxException(
              1,
              "with its placeholders filled in, JSON may be nested %s deep".formatted(Json.DEEPEST))
          .at(node.pointer());
    }
  }

  /**
   * Return the payload of one attempt.
   *
   * @throws TemplateException if it would be larger than a payload may be
   */
  public Payload expand(TemplateValues values) {
    if (isConstant()) {
      return payload;
    }
    var filled = new ArrayList<@Nullable Object>(inOrder.size());
    int room = Payload.MAX_SIZE;
    for (PayloadNode node : inOrder) {
      Object value = node.value(values, filled, room);
      room -= node.isText() && value instanceof String text ? text.length() : 0;
      filled.add(value);
    }
    return Payload.stored(BoundedJson.write(filled.get(root.number), Payload.MAX_SIZE));
  }
}
