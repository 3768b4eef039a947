package dev.carillon.template;

import dev.carillon.template.Placeholder.OfPayload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One value of a payload: an object, a list, a template, or what is the same in every run. */
final class PayloadNode {
  /** How far the walk over all nodes is with one. */
  enum State {
    NEW,
    OPEN,
    DONE
  }

  /**
   * A value that must be known first.
   *
   * @param by the placeholder that takes it; empty for a part of an object or a list
   */
  record Use(PayloadNode node, Optional<Template.Filled> by) {}

  private final @Nullable PayloadNode parent;
  private final Object step;
  private final @Nullable Object written;
  private final Optional<Template> template;

  /* Most nodes have none of these, and there may be a hundred thousand nodes. */
  private Map<String, PayloadNode> fields = Map.of();
  private List<PayloadNode> items = List.of();
  private List<Use> uses = List.of();
  private Map<PayloadPath, PayloadNode> taken = Map.of();
  State state = State.NEW;
  int number = -1;
  int depth;

  private PayloadNode(@Nullable Object written, @Nullable PayloadNode parent, Object step) {
    this.written = written;
    this.parent = parent;
    this.step = step;
    this.template =
        written instanceof String text && Template.isTemplate(text)
            ? Optional.of(JsonTemplate.parsed(text, pointer()))
            : Optional.empty();
    if (written instanceof Map<?, ?> map && !map.isEmpty()) {
      fields = new LinkedHashMap<>();
      map.forEach(
          (name, value) ->
              fields.put(String.valueOf(name), new PayloadNode(value, this, String.valueOf(name))));
    } else if (written instanceof List<?> list && !list.isEmpty()) {
      items = new ArrayList<>(list.size());
      list.forEach(value -> items.add(new PayloadNode(value, this, items.size())));
    }
  }

  /** Make nodes of the content of a payload, which is nested as deep as JSON may be. */
  static PayloadNode tree(Map<String, @Nullable Object> content) {
    return new PayloadNode(content, null, "");
  }

  /** Return where it is in the payload, as a JSON pointer. */
  String pointer() {
    return parent == null ? "" : parent.pointer() + JsonPointers.step(step);
  }

  boolean isText() {
    return template.isPresent();
  }

  List<Use> uses() {
    return uses;
  }

  /** Find out what this takes its value from. */
  void resolve(PayloadNode root) {
    if (fields.isEmpty() && items.isEmpty() && template.isEmpty()) {
      return;
    }
    uses = new ArrayList<>();
    taken = template.isPresent() ? new LinkedHashMap<>() : Map.of();
    fields.values().forEach(node -> uses.add(new Use(node, Optional.empty())));
    items.forEach(node -> uses.add(new Use(node, Optional.empty())));
    template.map(Template::placeholders).orElse(List.of()).forEach(part -> resolve(part, root));
  }

  private void resolve(Template.Filled part, PayloadNode root) {
    if (part.placeholder() instanceof OfPayload use && !taken.containsKey(use.path())) {
      PayloadNode node =
          root.find(use.path())
              .orElseThrow(
                  () ->
                      new TemplateSyntaxException(
                              part.position(),
                              "the payload has no %s; add it, or take one that is there"
                                  .formatted(TemplateSyntaxException.quoted(use.toString())))
                          .at(pointer()));
      taken.put(use.path(), node);
      uses.add(new Use(node, Optional.of(part)));
    }
  }

  private Optional<PayloadNode> find(PayloadPath path) {
    PayloadNode node = this;
    for (String step : path.steps()) {
      int position = PayloadPath.position(step);
      if (node.fields.containsKey(step)) {
        node = Objects.requireNonNull(node.fields.get(step));
      } else if (position < node.items.size()) {
        node = node.items.get(position);
      } else {
        return Optional.empty();
      }
    }
    return Optional.of(node);
  }

  TemplateSyntaxException refuse(Use use, String reason) {
    String shown =
        use.by()
            .map(part -> TemplateSyntaxException.quoted(part.placeholder().toString()))
            .orElse("it");
    return new TemplateSyntaxException(
            use.by().map(Template.Filled::position).orElse(1), reason.formatted(shown))
        .at(pointer());
  }

  /** Learn from what it uses how deep it is; tell whether it may change from run to run. */
  boolean settle() {
    boolean whole = template.flatMap(Template::only).isPresent();
    for (Use use : uses) {
      if (use.by().isEmpty() || whole) {
        depth = Math.max(depth, use.node().depth + (use.by().isEmpty() ? 1 : 0));
      }
    }
    return isText() || uses.stream().anyMatch(use -> use.node().number >= 0);
  }

  /** Let go of what is not needed once the order is known. */
  void prune() {
    uses = List.of();
    if (number < 0) {
      fields = Map.of();
      items = List.of();
    } else {
      fields.values().forEach(PayloadNode::prune);
      items.forEach(PayloadNode::prune);
    }
  }

  /**
   * Return the value in one attempt.
   *
   * @param filled the values of the nodes before this one, by their numbers
   * @param most the longest text
   */
  @Nullable Object value(TemplateValues values, List<@Nullable Object> filled, int most) {
    if (template.isPresent()) {
      Template text = template.get();
      return text.only().isPresent()
          ? text.only().get().value(values, path -> taken(path).valueIn(filled))
          : text.text(values, path -> taken(path).valueIn(filled), most);
    }
    if (written instanceof Map) {
      var object = new LinkedHashMap<String, @Nullable Object>();
      fields.forEach((name, node) -> object.put(name, node.valueIn(filled)));
      return object;
    }
    var list = new ArrayList<@Nullable Object>(items.size());
    items.forEach(node -> list.add(node.valueIn(filled)));
    return list;
  }

  private PayloadNode taken(PayloadPath path) {
    return Objects.requireNonNull(taken.get(path));
  }

  private @Nullable Object valueIn(List<@Nullable Object> filled) {
    return number < 0 ? written : filled.get(number);
  }
}
