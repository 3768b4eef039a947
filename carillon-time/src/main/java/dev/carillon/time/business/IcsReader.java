package dev.carillon.time.business;

import dev.carillon.time.InvalidValueException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads an iCalendar text: components in components, of which only events matter. */
final class IcsReader {
  private static final int MAX_DEPTH = 8;
  private static final int MAX_EVENTS = 20_000;
  private static final int MAX_REASONS = 20;

  private final IcsLines lines;
  private final IcsDays found = new IcsDays();
  private final Deque<String> open = new ArrayDeque<>();
  private final List<String> reasons = new ArrayList<>();
  private @Nullable IcsEvent event;
  private int events;
  private int ignored;

  IcsReader(String text) {
    if (text.length() > Ics.MAX_LENGTH) {
      throw new InvalidValueException(
          "ics",
          "an iCalendar text has at most %s characters; this has %s"
              .formatted(Ics.MAX_LENGTH, text.length()));
    }
    lines = new IcsLines(text.startsWith("\uFEFF") ? text.substring(1) : text);
  }

  IcsHolidays read() {
    boolean begun = false;
    for (Optional<IcsLine> next = lines.next(); next.isPresent(); next = lines.next()) {
      IcsLine line = next.get();
      if (open.isEmpty() && !line.is("BEGIN", "VCALENDAR")) {
        throw IcsLine.refuse(line.number(), "is outside of BEGIN:VCALENDAR and END:VCALENDAR");
      }
      begun = true;
      switch (line.name()) {
        case "BEGIN" -> begin(line);
        case "END" -> end(line);
        default -> {
          if (event != null && open.size() == 2) {
            event.add(line);
          }
        }
      }
    }
    if (!begun) {
      throw IcsLine.refuse(1, "should be BEGIN:VCALENDAR; the text is empty");
    }
    if (!open.isEmpty()) {
      throw IcsLine.refuse(
          lines.number(), "is the last, but END:%s is missing".formatted(open.peek()));
    }
    return new IcsHolidays(found.single, found.yearly, found.years(), events, ignored, reasons);
  }

  private void begin(IcsLine line) {
    String component = component(line);
    if (open.size() == MAX_DEPTH) {
      throw IcsLine.refuse(line.number(), "is in more than %s components".formatted(MAX_DEPTH));
    }
    open.push(component);
    if (component.equals("VEVENT") && open.size() == 2) {
      events++;
      if (events > MAX_EVENTS) {
        throw IcsLine.refuse(line.number(), "begins more than %s events".formatted(MAX_EVENTS));
      }
      event = new IcsEvent(line.number());
    }
  }

  private void end(IcsLine line) {
    String component = component(line);
    if (!component.equals(open.peek())) {
      throw IcsLine.refuse(
          line.number(), "ends %s, but %s is open".formatted(component, open.peek()));
    }
    open.pop();
    IcsEvent ended = event;
    if (ended != null && open.size() == 1) {
      event = null;
      ended
          .addTo(found)
          .ifPresent(
              reason -> {
                ignored++;
                if (reasons.size() < MAX_REASONS) {
                  reasons.add("line %s: %s".formatted(ended.line, reason));
                }
              });
    }
  }

  private static String component(IcsLine line) {
    String name = line.value().strip().toUpperCase(Locale.ROOT);
    boolean plain =
        !name.isEmpty() && name.length() <= 32 && name.chars().allMatch(IcsLine::isNameSign);
    if (!plain) {
      throw IcsLine.refuse(line.number(), "begins or ends a component without a name");
    }
    return name;
  }
}
