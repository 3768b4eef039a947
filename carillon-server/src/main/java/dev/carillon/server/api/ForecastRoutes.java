package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.Schedules;
import dev.carillon.model.LoadForecast;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.web.QueryParameter;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The resource {@code /forecast}: how many fires the minutes to come have. */
record ForecastRoutes(Carillon carillon) {
  private static final Duration DEFAULT_PERIOD = Duration.ofDays(1);

  List<Route> routes() {
    return List.of(
        Route.get(Api.ROOT + "/forecast", Role.VIEWER, "getForecast")
            .reach(Reach.SCOPE)
            .summary("Count the fires to come of all schedules by minute, and find the worst")
            .query(
                QueryParameter.format(
                    "from", "date-time", "From then on; now unless said, and not before."))
            .query(
                QueryParameter.format(
                    "to", "date-time", "Until then, at most 7 days later; a day on unless said."))
            .answers(200, "Forecast", this::forecast));
  }

  Reply forecast(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    Instant from = parameters.instant("from").orElseGet(() -> carillon.clock().instant());
    Instant usual =
        from.isBefore(TimingForm.END.minus(DEFAULT_PERIOD))
            ? from.plus(DEFAULT_PERIOD)
            : TimingForm.END;
    Instant to = parameters.instant("to").orElse(usual);
    parameters.done();
    return Reply.ok(view(read(Reachable.schedules(carillon, request), from, to, parameters)));
  }

  private static LoadForecast read(
      Schedules schedules, Instant from, Instant to, QueryParameters parameters) {
    try {
      return schedules.forecast(from, to);
    } catch (InvalidValueException e) {
      parameters.error(e.field().orElse("from"), String.valueOf(e.getMessage()));
      parameters.done();
      throw e;
    }
  }

  private static Map<String, @Nullable Object> view(LoadForecast forecast) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("from", ContractText.of(forecast.from()));
    view.put("to", ContractText.of(forecast.to()));
    view.put("fires", forecast.totalFires());
    view.put("schedules", coverage(forecast.schedules()));
    view.put("worst", forecast.worst().stream().map(ForecastRoutes::minute).toList());
    view.put("spreading", spreading(forecast.spreading()));
    view.put("firstMinute", ContractText.of(forecast.firstMinute()));
    view.put("firesPerMinute", forecast.fires());
    return view;
  }

  private static Map<String, @Nullable Object> coverage(LoadForecast.Coverage coverage) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("firing", coverage.firing());
    view.put("onlyNextKnown", coverage.onlyNextKnown());
    view.put("pausedWithoutEnd", coverage.pausedWithoutEnd());
    view.put("unreadable", coverage.unreadable());
    view.put("withoutJitter", coverage.withoutJitter());
    view.put("withoutRules", coverage.withoutRules());
    return view;
  }

  private static Map<String, @Nullable Object> minute(LoadForecast.BusyMinute minute) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("minute", ContractText.of(minute.minute()));
    view.put("fires", minute.fires());
    view.put("schedules", minute.schedules());
    view.put("keys", minute.keys());
    return view;
  }

  private static Map<String, @Nullable Object> spreading(LoadForecast.Spreading spreading) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("peak", spreading.peak());
    view.put("fixedMinute", spreading.fixedMinute());
    view.put("peakWithHash", spreading.peakWithHash());
    view.put("withoutJitter", spreading.withoutJitter());
    view.put("peakWithJitter", spreading.peakWithJitter());
    view.put("jitter", spreading.jitter().toString());
    view.put("text", spreading.text());
    return view;
  }
}
