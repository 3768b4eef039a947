package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.carillon.cli.calendar.RuleChangeText;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.TerminalText;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Client;
import dev.carillon.cli.remote.CommandHints;
import dev.carillon.cli.remote.Reply;
import dev.carillon.cli.schedule.Change.Basis;
import dev.carillon.cli.schedule.Change.Field;
import dev.carillon.cli.schedule.Change.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the server says a definition would change.
 *
 * @param kind of change
 * @param fields which differ from the current version
 * @param notes warnings, and how many fires are gained and lost
 * @param basis what the server has now
 */
record DryRunPreview(Kind kind, List<Field> fields, List<String> notes, Basis basis) {

  private static final int MAX_MOVES = 3;

  static DryRunPreview retirement(String etag) {
    return new DryRunPreview(
        Kind.RETIRE, List.of(), List.of(), new Basis(Optional.of(etag), false));
  }

  /** Ask for the preview of {@code call}, which changes nothing. */
  static DryRunPreview ask(Client client, Call call) {
    Reply reply = client.send(call.with("dryRun", true));
    return read(reply.body(), reply.headers().firstValue("ETag"));
  }

  /** Read the server's answer to a dry run, which has the ETag of what there is now. */
  static DryRunPreview read(JsonNode answer, Optional<String> etag) {
    Kind kind = kind(answer);
    boolean retired = false;
    for (JsonNode field : answer.path("changedFields")) {
      retired |= field.asText().equals("status");
    }
    return new DryRunPreview(
        kind,
        kind == Kind.CHANGE ? Difference.of(answer.path("changes")) : List.of(),
        notes(kind, answer, retired),
        new Basis(etag, retired));
  }

  void print(Output output, String indent) {
    fields.forEach(field -> output.line(indent + TerminalText.line(field.text())));
    notes.forEach(note -> output.line(indent + TerminalText.line(note)));
  }

  /** Return this for a schedule whose target another one stood in for. */
  DryRunPreview withTarget(String label) {
    return new DryRunPreview(
        kind,
        fields.stream()
            .map(
                field ->
                    field.pointer().equals("/target")
                        ? new Field("/target", field.before(), Json.object().textNode(label))
                        : field)
            .toList(),
        notes,
        basis);
  }

  /**
   * Return this for a definition of which a part was left out, since it names what is yet to be
   * created.
   *
   * @param whole the definition
   * @param left the names of the fields that were left out
   */
  DryRunPreview withFields(JsonNode whole, Set<String> left, String note) {
    var all = new ArrayList<Field>();
    fields.stream().filter(field -> !left.contains(first(field))).forEach(all::add);
    for (String name : left) {
      JsonNode before =
          fields.stream()
              .filter(field -> field.pointer().equals("/" + name))
              .map(Field::before)
              .findFirst()
              .orElse(MissingNode.getInstance());
      all.add(new Field("/" + name, before, whole.path(name)));
    }
    var more = new ArrayList<>(notes);
    more.add(note);
    return new DryRunPreview(
        kind == Kind.UNCHANGED ? Kind.CHANGE : kind,
        kind == Kind.CREATE ? List.of() : List.copyOf(all),
        List.copyOf(more),
        basis);
  }

  private static String first(Field field) {
    int end = field.pointer().indexOf('/', 1);
    return end < 0 ? field.pointer().substring(1) : field.pointer().substring(1, end);
  }

  private static Kind kind(JsonNode answer) {
    return switch (Json.text(answer, "/result")) {
      case "created" -> Kind.CREATE;
      case "unchanged" -> Kind.UNCHANGED;
      default -> Kind.CHANGE;
    };
  }

  private static List<String> notes(Kind kind, JsonNode answer, boolean retired) {
    var notes = new ArrayList<String>();
    if (retired) {
      notes.add("it is retired, and fires again");
    }
    answer.path("warnings").forEach(warning -> notes.add("warning: " + said(warning)));
    int gained = answer.path("firesGained").size();
    int lost = answer.path("firesLost").size();
    int moved = answer.path("firesMoved").size();
    if (kind == Kind.CHANGE && gained + lost + moved > 0) {
      notes.add(
          "fires of the next 30 days: %s gained, %s lost%s"
              .formatted(
                  most(gained), most(lost), moved == 0 ? "" : ", %s moved".formatted(most(moved))));
      firstMoves(answer.path("firesMoved")).forEach(notes::add);
    }
    if (kind != Kind.UNCHANGED) {
      RuleChangeText.of(answer).ifPresent(notes::add);
    }
    return List.copyOf(notes);
  }

  private static List<String> firstMoves(JsonNode moved) {
    var lines = new ArrayList<String>();
    for (JsonNode fire : moved) {
      if (lines.size() == MAX_MOVES) {
        break;
      }
      lines.add(
          "  slot %s: due at %s instead of %s"
              .formatted(
                  Json.text(fire, "/slot"), Json.text(fire, "/to"), Json.text(fire, "/from")));
    }
    return lines;
  }

  private static String said(JsonNode warning) {
    return CommandHints.instead(
        warning.isObject() ? Json.text(warning, "/message") : warning.asText());
  }

  /* The server lists a hundred at most. */
  private static String most(int count) {
    return count < 100 ? String.valueOf(count) : "100 or more";
  }
}
