package dev.carillon.engine;

import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.template.PayloadTemplate;
import dev.carillon.template.RunPayload;
import dev.carillon.template.TemplateException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The templates of the payloads that were used last, so that the runs of a version share one. Safe
 * for use by several threads.
 */
public final class PayloadTemplates {
  private static final int MAX_LENGTH = 2 * Payload.MAX_SIZE;

  /* Guarded by this; in the order of use. */
  private final Map<String, PayloadTemplate> byJson = new LinkedHashMap<>(16, 0.75f, true);
  private int length;

  /**
   * Return the payload of the attempt that {@code run} is at.
   *
   * @throws TemplateException if it cannot be made
   */
  public Payload expand(Run run) {
    return RunPayload.of(run, this::of);
  }

  private PayloadTemplate of(Payload payload) {
    synchronized (this) {
      PayloadTemplate known = byJson.get(payload.json());
      if (known != null) {
        return known;
      }
    }
    PayloadTemplate parsed = PayloadTemplate.parse(payload);
    keep(payload.json(), parsed);
    return parsed;
  }

  private synchronized void keep(String json, PayloadTemplate template) {
    if (byJson.put(json, template) == null) {
      length += json.length();
    }
    var oldest = byJson.keySet().iterator();
    while (length > MAX_LENGTH && oldest.hasNext()) {
      length -= oldest.next().length();
      oldest.remove();
    }
  }
}
