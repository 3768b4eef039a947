package dev.carillon.console.browser;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Prints how long views of a running server take to show, in milliseconds by the clock of the
 * browser: the first one with an empty cache and on its own, the others when they are opened from
 * it. Then stays at the first for a while, if told to. For the benchmark {@code console}.
 */
final class ViewTimes {
  private static final int TIMES = 5;

  /* A view is shown when it has put something in the place of its skeleton. */
  private static final String SHOWN =
      """
      (() => { const view = document.querySelector('main %s-view'); return !!view && view.innerText.trim().length > 20
        && ![...document.querySelectorAll('main .skeleton')].some(e => e.checkVisibility()); })()
      """;

  private static final String OPENED =
      """
      (async () => {
        const shown = () => %s;
        history.pushState(null, '', %s);
        const start = performance.now();
        dispatchEvent(new PopStateEvent('popstate'));
        do await new Promise(requestAnimationFrame); while (!shown() && performance.now() - start < 30000);
        return performance.now() - start;
      })()
      """;

  private ViewTimes() {}

  /**
   * Measure and print, a line for each view.
   *
   * @param arguments the address of the server, a token, for how many seconds to stay, and views
   *     with what they are called, such as {@code now=now} or {@code runs=runs?state=failed}
   */
  public static void main(String[] arguments) throws InterruptedException {
    String url = arguments[0];
    int seconds = Integer.parseInt(arguments[2]);
    List<String> views = Arrays.asList(arguments).subList(3, arguments.length);
    if (Chromium.installed().isEmpty()) {
      System.out.println("no browser is installed");
      return;
    }
    try (Chromium browser = Chromium.start();
        Console console = new Console(browser, url).expectingComplaints("")) {
      console.signedIn(arguments[1], "");
      console.until(shown("now"));
      for (String view : views) {
        String[] named = view.split("=", 2);
        print(named[0], median(console, url, named[1]));
      }
      console.opens("/console/now").until(shown("now"));
      print("first view, loaded anew", sinceNavigation(console));
      System.out.println("staying");
      TimeUnit.SECONDS.sleep(seconds);
      System.out.println("leaving");
    }
  }

  private static double median(Console console, String url, String path) {
    double[] millis = new double[TIMES];
    for (int i = 0; i < TIMES; i++) {
      console.evaluate(opening(url, "nodes"));
      millis[i] = console.evaluate(opening(url, path)).asDouble();
    }
    Arrays.sort(millis);
    return millis[TIMES / 2];
  }

  private static String opening(String url, String path) {
    return OPENED.formatted(shown(path), "'" + url + "/console/" + path + "'");
  }

  private static String shown(String path) {
    return SHOWN.strip().formatted(path.replaceFirst("\\?.*", ""));
  }

  private static double sinceNavigation(Console console) {
    return console.evaluate("performance.now()").asDouble();
  }

  private static void print(String name, double millis) {
    System.out.printf(Locale.ROOT, "%s\t%.0f%n", name, millis);
  }
}
