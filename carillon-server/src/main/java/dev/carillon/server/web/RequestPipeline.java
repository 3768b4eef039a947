package dev.carillon.server.web;

import dev.carillon.model.OutOfScopeException;
import dev.carillon.server.log.RateLimitedLogs;
import dev.carillon.store.jdbc.OutageCause;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers every request: finds the route, signs the caller in and checks the role, calls the
 * handler, and turns whatever goes wrong into a problem. Knows nothing of sockets.
 */
public final class RequestPipeline {
  private static final Logger LOG = LoggerFactory.getLogger(RequestPipeline.class);
  private static final Logger REQUESTS = LoggerFactory.getLogger("dev.carillon.server.requests");

  /* By these parameters a list reads its items with their payloads. */
  private static final Set<String> WITH_PAYLOADS = Set.of("include", "payload");

  private final RateLimitedLogs unanswered = new RateLimitedLogs();
  private final RateLimitedLogs failed = new RateLimitedLogs();
  private final ReplyMemory memory;
  private volatile Rules rules;

  /**
   * What requests are answered by.
   *
   * @param routes what is answered
   * @param signIn finds out who calls, or refuses the request
   * @param replays answers repeated requests as the first time
   * @param limit bounds the requests that use the database at once
   * @param complete whether these are all routes there will be
   */
  private record Rules(
      Routes routes,
      Function<Request, Caller> signIn,
      Replays replays,
      ConcurrencyLimit limit,
      boolean complete) {}

  /** Answers a request that was made before as it was answered then. */
  @FunctionalInterface
  public interface Replays {
    /** Do {@code work}, or return what it answered when this request was made first. */
    Reply once(Request request, Route route, Function<Request, Reply> work);
  }

  /** Answer {@code first} while the rest is being prepared. */
  public RequestPipeline(Routes first) {
    this(first, ReplyMemory.ofThisProcess());
  }

  RequestPipeline(Routes first, ReplyMemory memory) {
    this.memory = memory;
    rules =
        new Rules(
            first,
            request -> Caller.NOBODY,
            (request, route, work) -> work.apply(request),
            ConcurrencyLimit.UNLIMITED,
            false);
  }

  /** Answer {@code routes} from now on. */
  public void open(
      Routes routes, Function<Request, Caller> signIn, Replays replays, ConcurrencyLimit limit) {
    rules = new Rules(routes, signIn, replays, limit, true);
  }

  /** What has become of a request before its body is read. */
  sealed interface Begun {}

  /** It is answered, and nobody needs its body. */
  record Answered(Reply reply) implements Begun {}

  /**
   * The caller may send a body, with which it is answered.
   *
   * @param caller stands for the caller; for the address, if nobody has signed in
   */
  record Admitted(String caller, Function<byte[], Reply> answer) implements Begun {}

  /** Answer a request that has no body, or has it already. */
  public Reply answer(Request request) {
    Begun begun = begin(request);
    return begun instanceof Admitted admitted
        ? admitted.answer().apply(request.body())
        : ((Answered) begun).reply();
  }

  /** Say whether threads are kept to answer what is asked at {@code path}. */
  boolean isReserved(String path) {
    return rules.routes.isReserved(path);
  }

  /** Find out who asks for what, and answer as far as that is possible without the body. */
  Begun begin(Request request) {
    Rules now = rules;
    long begun = System.nanoTime();
    try {
      Admission admission = admitted(request, now);
      return admission.route().method().equals("GET")
          ? new Answered(answered(request, now, begun, () -> admission.answer(admission.request())))
          : new Admitted(
              admission.caller(),
              body ->
                  answered(
                      request, now, begun, () -> admission.answer(admission.request().body(body))));
    } catch (RuntimeException refusal) {
      return new Answered(
          answered(
              request,
              now,
              begun,
              () -> {
                throw refusal;
              }));
    }
  }

  /* The path as it is in the route table: what a client puts into its parts may be private. */
  private void log(Request request, Reply reply, Duration took) {
    String path;
    try {
      path = rules.routes.find(request.method(), request.path()).route().path();
    } catch (ProblemException none) {
      path = "-";
    }
    String method = Routes.isMethod(request.method()) ? request.method() : "-";
    Object status = reply.content() instanceof Reply.Later ? "later" : reply.status();
    REQUESTS
        .atInfo()
        .addKeyValue("method", method)
        .addKeyValue("route", path)
        .addKeyValue("status", status)
        .addKeyValue("ms", took.toMillis())
        .addKeyValue("from", request.address())
        .addArgument(method)
        .addArgument(path)
        .addArgument(status)
        .addArgument(took.toMillis())
        .addArgument(request.address())
        .log("request: method={} route={} status={} ms={} from={}");
  }

  private Reply answered(Request request, Rules now, long begun, Supplier<Reply> work) {
    Reply reply;
    try {
      reply = work.get();
      if (reply.content() instanceof Reply.Later later) {
        reply = Reply.later(settled(request, later.reply()), later.replyNow());
      }
    } catch (RuntimeException failure) {
      reply = problem(request, failure, now).reply(request.path());
    }
    if (REQUESTS.isInfoEnabled()) {
      log(request, reply, Duration.ofNanos(System.nanoTime() - begun));
    }
    return reply;
  }

  private CompletableFuture<Reply> settled(Request request, CompletableFuture<Reply> reply) {
    return reply.exceptionally(
        failure -> {
          Throwable cause =
              failure instanceof CompletionException && failure.getCause() != null
                  ? failure.getCause()
                  : failure;
          return problem(request, cause, rules).reply(request.path());
        });
  }

  /**
   * What a caller may ask for.
   *
   * @param route what answers it
   * @param request what was asked, by whom
   * @param limit bounds how many such requests are worked on at once
   * @param replays answers it as the first time
   * @param memory what replies may take of it
   */
  private record Admission(
      Route route, Request request, ConcurrencyLimit limit, Replays replays, ReplyMemory memory) {
    String caller() {
      return route.role() == Role.OPEN
          ? "address:" + request.address()
          : request.caller().identity();
    }

    Reply answer(Request whole) {
      return made(
          () ->
              limit.take(
                  () ->
                      route.method().equals("POST")
                          ? replays.once(whole, route, route::answer)
                          : route.answer(whole)));
    }

    /* What is answered without the database is small, and must be answered at once. */
    private Reply made(Supplier<Reply> work) {
      if (route.role() == Role.OPEN || route.withoutDatabase()) {
        return work.get();
      }
      if (!route.paged()) {
        return memory.makingItem(work);
      }
      return route.readsAll() || WITH_PAYLOADS.stream().anyMatch(this::isGiven)
          ? memory.makingPage(work)
          : memory.makingSmallPage(work);
    }

    private boolean isGiven(String parameter) {
      return request.parameter(parameter).isPresent();
    }
  }

  /** Return what its replies may take of the memory. */
  ReplyMemory memory() {
    return memory;
  }

  private Admission admitted(Request request, Rules rules) {
    Routes.Found found = rules.routes.find(request.method(), request.path());
    Route route = found.route();
    Caller caller =
        route.role() == Role.OPEN
            ? Caller.NOBODY
            : rules.signIn.apply(route.withoutDatabase() ? request.withoutDatabase() : request);
    if (!caller.role().covers(route.role())) {
      throw new ProblemException(
          ProblemKind.FORBIDDEN,
          "This needs the role %s; yours is %s."
              .formatted(route.role().word(), caller.role().word()));
    }
    if (route.reach() == Reach.NOTHING && !caller.scope().isAll()) {
      throw new ProblemException(
          ProblemKind.OUT_OF_SCOPE,
          "This is about the whole cluster; a token with a scope does not reach it.");
    }
    MediaTypes.check(request, route);
    Request known =
        request
            .by(caller)
            .parts(found.parts())
            .parameters(parameters(request, route))
            .later(memory::makingLater);
    ConcurrencyLimit limit =
        route.role() == Role.OPEN || route.withoutDatabase()
            ? ConcurrencyLimit.UNLIMITED
            : rules.limit;
    return new Admission(route, known, limit, rules.replays, memory);
  }

  private static Map<String, String> parameters(Request request, Route route) {
    if (route.anyQuery()) {
      return Map.of();
    }
    Map<String, String> parameters = PercentEncoding.parameters(request.query());
    List<String> known = route.parameters().stream().map(QueryParameter::name).toList();
    var errors = new ArrayList<Problem.FieldError>();
    for (String name : parameters.keySet()) {
      if (!known.contains(name)) {
        errors.add(Problem.FieldError.in(name, UnknownName.parameter(name, known)));
      }
    }
    if (!errors.isEmpty()) {
      throw new ProblemException(ProblemKind.INVALID_PARAMETER, errors);
    }
    return parameters;
  }

  private Problem problem(Request request, Throwable failure, Rules rules) {
    if (failure instanceof ProblemException problemException) {
      boolean early = !rules.complete && problemException.problem().kind() == ProblemKind.NOT_FOUND;
      return early ? unavailable("The server is starting; try again.") : problemException.problem();
    }
    if (failure instanceof InvalidValueException refused) {
      String pointer = refused.field().map(field -> "/" + field).orElse("");
      return Problem.of(
          ProblemKind.INVALID_INPUT,
          List.of(Problem.FieldError.at(pointer, String.valueOf(refused.getMessage()))));
    }
    if (failure instanceof OutOfScopeException outside) {
      return Problem.of(
          ProblemKind.OUT_OF_SCOPE,
          List.of(
              Problem.FieldError.at("/" + outside.field(), String.valueOf(outside.getMessage()))));
    }
    if (failure instanceof StoreException unavailable && unavailable.outage().isPresent()) {
      OutageCause cause = unavailable.outage().get();
      unanswered
          .happened(cause.name())
          .ifPresent(
              times ->
                  LOG.warn(
                      "{} could not be answered: {} ({} requests since the last such line)",
                      request.method(),
                      unavailable.getMessage(),
                      times));
      return unavailable(cause.sentence() + "; try again.");
    }
    failed
        .happened(FailurePlace.of(failure))
        .ifPresent(
            times ->
                LOG.error(
                    "{} failed ({} requests since the last such line)",
                    request.method(),
                    times,
                    failure));
    return JettyErrorHandler.problem(ProblemKind.INTERNAL.status());
  }

  private static Problem unavailable(String detail) {
    return Problem.of(ProblemKind.UNAVAILABLE, detail).header("Retry-After", "1");
  }
}
