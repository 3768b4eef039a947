package dev.carillon.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * A person at the console. Each order waits until it can be carried out; {@link #close} fails if
 * the browser has reported an error or a violation of the content security policy meanwhile.
 */
final class Console implements AutoCloseable {
  private static final String AXE = resource("/axe.min.js");
  private static final String LAYOUT = resource("/layout.js");
  private static final Map<String, List<Object>> KEYS =
      Map.of(
          "Enter", List.of("Enter", 13, "\r"),
          "Escape", List.of("Escape", 27, ""),
          "ArrowDown", List.of("ArrowDown", 40, ""),
          "ArrowUp", List.of("ArrowUp", 38, ""),
          "ArrowLeft", List.of("ArrowLeft", 37, ""),
          "ArrowRight", List.of("ArrowRight", 39, ""),
          "Tab", List.of("Tab", 9, ""));
  private static final String BUTTONS =
      "[...document.querySelectorAll('main button')].filter(e => e.checkVisibility()).slice(0, 30)";
  private static final int MOST_TABS = 150;
  private static final int SHIFT = 8;

  /* The browser's own note about an answer that the scenario itself provokes. */
  private static final String REFUSED =
      "Failed to load resource: the server responded with a status of ";

  private final String url;
  private final Chromium.Profile profile;
  private final boolean ownsProfile;
  private final DevTools tab;
  private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
  private final List<String> expected = new ArrayList<>();
  private int clicks;

  Console(Chromium browser, String url) {
    this(browser.profile(), true, url);
  }

  private Console(Chromium.Profile profile, boolean ownsProfile, String url) {
    this.url = url;
    this.profile = profile;
    this.ownsProfile = ownsProfile;
    this.tab = profile.tab(this::heard);
    tab.send("Page.enable");
    tab.send("Runtime.enable");
    tab.send("Log.enable");
    tab.send(
        "Page.addScriptToEvaluateOnNewDocument",
        "source",
        "addEventListener('securitypolicyviolation', e => console.error('CSP violation: ' +"
            + " e.violatedDirective + ' ' + e.blockedURI));");
    isWide(1280);
  }

  /** Open another tab of the same browser, with the same cookies. */
  Console opensAnotherTab() {
    return new Console(profile, false, url).expectingRefusal(401);
  }

  private void heard(String event, JsonNode about) {
    if (event.equals("Runtime.exceptionThrown")) {
      complaints.add(about.path("exceptionDetails").path("exception").path("description").asText());
    } else if (event.equals("Runtime.consoleAPICalled")
        && List.of("error", "warning", "assert").contains(about.path("type").asText())) {
      complaints.add(about.path("args").toString());
    } else if (event.equals("Log.entryAdded")
        && List.of("error", "warning").contains(about.path("entry").path("level").asText())) {
      complaints.add(about.at("/entry/text").asText() + " " + about.at("/entry/url").asText());
    }
  }

  /** Say that the server will refuse something with {@code status}, which the browser notes. */
  Console expectingRefusal(int status) {
    expected.add(REFUSED + status);
    return this;
  }

  /** Say that the browser will complain with one of these words. */
  Console expectingComplaints(String... words) {
    expected.addAll(List.of(words));
    return this;
  }

  /** Open a page of the console, or of the server. */
  Console opens(String path) {
    tab.send("Page.navigate", "url", path.startsWith("http") ? path : url + path);
    until("document.readyState === 'complete'");
    return this;
  }

  /** Go to another view, or another state of it, as a link does: without loading the page anew. */
  Console goesTo(String path) {
    evaluate(
        "(() => { history.pushState(null, '', %s); dispatchEvent(new PopStateEvent('popstate')); })()"
            .formatted(quoted(url + "/console/" + path)));
    return this;
  }

  /** Be signed in, at the view {@code path}. */
  Console signedIn(String token, String path) {
    expectingRefusal(401);
    opens("/console/" + path);
    types("#token", token);
    presses("Enter");
    until("document.querySelector('.app') !== null");
    return this;
  }

  /** Look at this tab again: another one that was opened has hidden it. */
  Console comesToFront() {
    tab.send("Page.bringToFront");
    return this;
  }

  /** Make the window so wide. */
  Console isWide(int pixels) {
    tab.send(
        "Emulation.setDeviceMetricsOverride",
        "width",
        pixels,
        "height",
        900,
        "deviceScaleFactor",
        1,
        "mobile",
        false);
    return this;
  }

  /** Be where the clocks show {@code zone}; holds for pages that are opened from now on. */
  Console isIn(String zone) {
    tab.send("Emulation.setTimezoneOverride", "timezoneId", zone);
    return this;
  }

  /** Have a clock that is so far ahead; holds for pages that are opened from now on. */
  Console hasAClockAheadBy(Duration ahead) {
    tab.send(
        "Page.addScriptToEvaluateOnNewDocument",
        "source",
        """
        { const Real = Date; const ahead = %s;
          globalThis.Date = class extends Real {
            constructor(...given) { given.length ? super(...given) : super(Real.now() + ahead); }
            static now() { return Real.now() + ahead; } }; }
        """
            .formatted(ahead.toMillis()));
    return this;
  }

  /** Prefer a theme, as the system does. */
  Console prefers(String theme) {
    tab.send(
        "Emulation.setEmulatedMedia",
        "features",
        List.of(Map.of("name", "prefers-color-scheme", "value", theme)));
    return this;
  }

  /** Click the first visible element that matches {@code selector}. */
  Console clicks(String selector) {
    return clickAt(found("visible(%s)[0]".formatted(quoted(selector)), selector));
  }

  /** Click what is called {@code text}, a button, a link or an option; counts in it are no name. */
  Console clicksText(String text) {
    return clickAt(
        found(
            "visible('button, a, [role=option], summary, label').filter(e => [...e.childNodes].filter(n => n.nodeType !== Node.COMMENT_NODE && !n.classList?.contains('n')).map(n => n.textContent).join('').trim() === %s)[0]"
                .formatted(quoted(text)),
            text));
  }

  /** Press the mouse on what matches {@code selector}, move it to the side, and let go. */
  Console drags(String selector, int by) {
    JsonNode place = found("visible(%s)[0]".formatted(quoted(selector)), selector);
    double x = place.get(0).asDouble();
    mouse("mousePressed", x, place.get(1));
    mouse("mouseMoved", x + by / 2.0, place.get(1));
    mouse("mouseMoved", x + by, place.get(1));
    mouse("mouseReleased", x + by, place.get(1));
    return this;
  }

  private void mouse(String type, double x, JsonNode y) {
    tab.send(
        "Input.dispatchMouseEvent",
        "type",
        type,
        "x",
        x,
        "y",
        y,
        "button",
        "left",
        "buttons",
        1,
        "clickCount",
        1);
  }

  private Console clickAt(JsonNode place) {
    clicks++;
    for (String type : List.of("mousePressed", "mouseReleased")) {
      tab.send(
          "Input.dispatchMouseEvent",
          "type",
          type,
          "x",
          place.get(0),
          "y",
          place.get(1),
          "button",
          "left",
          "clickCount",
          1);
    }
    return this;
  }

  /* Where an element is to be clicked, once it has come to rest there and nothing covers it. */
  private JsonNode found(String expression, String what) {
    var before = new AtomicReference<JsonNode>();
    return waits(
        "there is " + what,
        () -> {
          JsonNode place = place(expression);
          boolean rests = place.isArray() && place.equals(before.getAndSet(place));
          return Optional.of(place).filter(any -> rests);
        });
  }

  private JsonNode place(String expression) {
    return looked(
        """
        (() => { const visible = (s) => [...document.querySelectorAll(s)].filter(e => e.checkVisibility() && e.getBoundingClientRect().width > 0);
          const e = %s; if (!e) return null; e.scrollIntoView({block: 'center', inline: 'center'});
          const b = [...e.getClientRects()].find(line => line.width > 0); // a link may run over several lines
          const [x, y] = [b.x + b.width / 2, b.y + b.height / 2]; const there = document.elementFromPoint(x, y);
          const drawn = e.closest('svg'); // bars of a chart may lie over one another
          return there && (e.contains(there) || there.contains(e) || (drawn && drawn === there.closest('svg'))) ? [x, y] : null; })()
        """
            .formatted(expression));
  }

  /** Type {@code text} into the field that matches {@code selector}. */
  Console types(String selector, String text) {
    clicks(selector);
    until("document.activeElement?.matches(%s)".formatted(quoted(selector)));
    tab.send("Input.insertText", "text", text);
    return this;
  }

  /** Type {@code text} where the cursor is. */
  Console writes(String text) {
    tab.send("Input.insertText", "text", text);
    return this;
  }

  /** Type {@code text} in place of what the field with the cursor has. */
  Console overwrites(String text) {
    tab.send(
        "Input.dispatchKeyEvent",
        "type",
        "rawKeyDown",
        "modifiers",
        2,
        "key",
        "a",
        "windowsVirtualKeyCode",
        (int) 'A',
        "commands",
        List.of("selectAll"));
    tab.send("Input.dispatchKeyEvent", "type", "keyUp", "modifiers", 2, "key", "a");
    return writes(text);
  }

  /** Press Tab until the focus is on what matches {@code selector}. */
  Console tabsTo(String selector) {
    return tabs(selector, 0);
  }

  /** Press Shift and Tab until the focus is on what matches {@code selector}. */
  Console tabsBackTo(String selector) {
    return tabs(selector, SHIFT);
  }

  private Console tabs(String selector, int modifiers) {
    until("document.querySelector(%s) !== null".formatted(quoted(selector)));
    for (int i = 0; i < MOST_TABS; i++) {
      if (evaluate("document.activeElement.matches(%s)".formatted(quoted(selector))).asBoolean()) {
        return this;
      }
      for (String type : List.of("rawKeyDown", "keyUp")) {
        tab.send(
            "Input.dispatchKeyEvent",
            "type",
            type,
            "modifiers",
            modifiers,
            "key",
            "Tab",
            "windowsVirtualKeyCode",
            9);
      }
    }
    throw new AssertionError("Tab does not reach " + selector + " at " + address());
  }

  /** Type a morning of this December into the field for dates and times that has the focus. */
  Console typesInstant(int dayOfDecember, int hour, int minute) {
    String day = "12%02d%s".formatted(dayOfDecember, java.time.Year.now(java.time.ZoneOffset.UTC));
    presses("ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft");
    day.chars().forEach(digit -> presses(String.valueOf((char) digit)));
    presses("ArrowRight");
    "%02d%02dA"
        .formatted(hour, minute)
        .chars()
        .forEach(sign -> presses(String.valueOf((char) sign)));
    return this;
  }

  /** Return how often the mouse was clicked. */
  int clicks() {
    return clicks;
  }

  /** Choose an option of a list. */
  Console chooses(String selector, String value) {
    until("document.querySelector(%s) !== null".formatted(quoted(selector)));
    evaluate(
        "(() => { const s = document.querySelector(%s); s.value = %s; s.dispatchEvent(new Event('change', {bubbles: true})); })()"
            .formatted(quoted(selector), quoted(value)));
    return this;
  }

  /** Press keys, one after the other: Enter, ArrowDown, / and the like. */
  Console presses(String... keys) {
    for (String key : keys) {
      List<Object> known = KEYS.getOrDefault(key, List.of(key, (int) key.charAt(0), key));
      tab.send(
          "Input.dispatchKeyEvent",
          "type",
          "keyDown",
          "key",
          known.get(0),
          "windowsVirtualKeyCode",
          known.get(1),
          "text",
          known.get(2));
      tab.send(
          "Input.dispatchKeyEvent",
          "type",
          "keyUp",
          "key",
          known.get(0),
          "windowsVirtualKeyCode",
          known.get(1));
    }
    return this;
  }

  /** Press a key together with Ctrl. */
  Console pressesCtrl(String key) {
    tab.send(
        "Input.dispatchKeyEvent",
        "type",
        "rawKeyDown",
        "modifiers",
        2,
        "key",
        key,
        "windowsVirtualKeyCode",
        (int) Character.toUpperCase(key.charAt(0)));
    tab.send("Input.dispatchKeyEvent", "type", "keyUp", "modifiers", 2, "key", key);
    return this;
  }

  /** Go back, as the button of the browser does. */
  Console goesBack() {
    evaluate("history.back()");
    return this;
  }

  /** Wait until {@code text} is to be seen. */
  Console sees(String text) {
    return sees("body", text);
  }

  /** Wait until {@code text} is to be seen in what matches {@code selector}. */
  Console sees(String selector, String text) {
    return until(
        "[...document.querySelectorAll(%s)].some(e => e.innerText.includes(%s))"
            .formatted(quoted(selector), quoted(text)));
  }

  /** Wait until {@code text} is in what matches {@code selector}, to be seen or folded away. */
  Console reads(String selector, String text) {
    return until(
        "[...document.querySelectorAll(%1$s + ', ' + %1$s + ' :is(input, textarea)')].some(e => (e.value ?? e.textContent).includes(%2$s))"
            .formatted(quoted(selector), quoted(text)));
  }

  /**
   * Click the buttons of the view and of the dialogs that open; what the server refuses is heard.
   */
  Console triesEveryButton() {
    int buttons = evaluate(BUTTONS + ".length").asInt();
    for (int i = 0; i < buttons; i++) {
      evaluate(BUTTONS + "[%s]?.click()".formatted(i));
      evaluate(
          "document.querySelectorAll('dialog[open] [type=submit]').forEach(b => { b.form.noValidate = true; b.click(); })");
      presses("Escape");
    }
    return this;
  }

  /** Wait until nothing matches {@code selector}. */
  Console seesNo(String selector) {
    until(
        "![...document.querySelectorAll(%s)].some(e => e.checkVisibility())"
            .formatted(quoted(selector)));
    return this;
  }

  /** Wait until {@code text} is nowhere to be seen. */
  Console seesNoText(String text) {
    until("!document.body.innerText.includes(%s)".formatted(quoted(text)));
    return this;
  }

  /** Wait until the address ends so. */
  Console isAt(String end) {
    return until("location.href.endsWith(%s)".formatted(quoted(end)));
  }

  /** Wait until the page is called so. */
  Console isTitled(String title) {
    until("document.title === %s".formatted(quoted(title)));
    return this;
  }

  /* Wait for something; a failure tells what the page shows instead. */
  private JsonNode waits(String what, Supplier<Optional<JsonNode>> asked) {
    try {
      return Waiting.until(what, asked);
    } catch (AssertionError e) {
      String shown = evaluate("document.body?.innerText ?? ''").asText();
      throw new AssertionError("%s; %s shows: %s".formatted(e.getMessage(), address(), shown), e);
    }
  }

  /** Wait until the script {@code condition} holds. */
  Console until(String condition) {
    waits(condition, () -> Optional.of(looked(condition)).filter(JsonNode::asBoolean));
    return this;
  }

  String address() {
    return evaluate("location.href").asText();
  }

  /* A page that is just being left says nothing; the next one will. */
  private JsonNode looked(String script) {
    try {
      return evaluate(script);
    } catch (CompletionException e) {
      if (e.getCause() instanceof IllegalStateException) {
        return NullNode.instance;
      }
      throw e;
    }
  }

  /** Return the cookies of the page, also those that its scripts do not see. */
  String cookies() {
    return StreamSupport.stream(
            tab.send("Network.getCookies", "urls", List.of(url + "/api/v1/me"))
                .path("cookies")
                .spliterator(),
            false)
        .map(cookie -> cookie.path("name").asText() + "=" + cookie.path("value").asText())
        .collect(Collectors.joining("; "));
  }

  /** Return the value of a script. */
  JsonNode evaluate(String script) {
    JsonNode answer =
        tab.send(
            "Runtime.evaluate", "expression", script, "returnByValue", true, "awaitPromise", true);
    if (answer.has("exceptionDetails")) {
      throw new AssertionError(script + ": " + answer.path("exceptionDetails"));
    }
    return answer.at("/result/value");
  }

  /** Check that nothing is wider than the window, sticks out of its box or is cut off. */
  Console fitsItsWidth() {
    assertThat(evaluate(LAYOUT + "tooWide()")).as("what is too wide at " + address()).isEmpty();
    return this;
  }

  /** Check that nothing covers what can be clicked, and that it is large enough for a finger. */
  Console isReachedByFingers() {
    assertThat(evaluate(LAYOUT + "unreachable()"))
        .as("what cannot be tapped at " + address())
        .isEmpty();
    return this;
  }

  /** Check the view by axe-core. */
  Console isAccessible() {
    return hasNoViolation("{resultTypes: ['violations']}");
  }

  /** Check by axe-core what another theme may change: the colours. */
  Console hasContrast() {
    return hasNoViolation("{runOnly: ['color-contrast', 'link-in-text-block']}");
  }

  private Console hasNoViolation(String options) {
    if (!evaluate("!!window.axe").asBoolean()) {
      evaluate(AXE + ";0");
    }
    JsonNode violations =
        evaluate(
            "axe.run(document, "
                + options
                + ").then(r => r.violations.map(v => v.id + ': ' + v.help + ' at ' + v.nodes.map(n => n.html + ' ' + (n.any[0]?.message ?? '')).slice(0, 4).join(' | ')))");
    assertThat(violations).as("violations of accessibility at " + address()).isEmpty();
    return this;
  }

  /** Keep a picture of the page. */
  Console isPhotographed(Path file) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.write(
          file,
          Base64.getDecoder()
              .decode(tab.send("Page.captureScreenshot", "format", "png").path("data").asText()));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Wait until the browser has reported {@code words}. */
  Console hears(String words) {
    Waiting.until(
        "the browser reports " + words,
        () -> unexpected().stream().filter(report -> report.contains(words)).findFirst());
    return this;
  }

  private List<String> unexpected() {
    return complaints.stream()
        .filter(complaint -> expected.stream().noneMatch(complaint::contains))
        .toList();
  }

  /** Check that the browser has reported no error and no violation of the policy so far. */
  Console isQuiet() {
    List<String> unexpected = unexpected();
    complaints.clear();
    assertThat(unexpected).as("errors in the console of the browser").isEmpty();
    return this;
  }

  @Override
  public void close() {
    tab.send("Page.navigate", "url", "about:blank");
    tab.close();
    if (ownsProfile) {
      profile.close();
    }
    isQuiet();
  }

  private static String quoted(String text) {
    return TextNode.valueOf(text).toString();
  }

  private static String resource(String name) {
    try (InputStream file = Console.class.getResourceAsStream(name)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
