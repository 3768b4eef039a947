package dev.carillon.server.web;

import dev.carillon.store.jdbc.Transaction;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A request as handlers see it. Immutable: each method returns a request that differs. */
public final class Request {
  private final String method;
  private final String path;
  private String query = "";
  private Map<String, String> headers = Map.of();
  private byte[] body = new byte[0];
  private String address = "";
  private Optional<X509Certificate> certificate = Optional.empty();
  private Map<String, String> parts = Map.of();
  private Map<String, String> parameters = Map.of();
  private Caller caller = Caller.NOBODY;
  private BooleanSupplier present = () -> true;
  private LaterReplies later = Supplier::get;
  private boolean withoutDatabase;
  private Optional<Transaction> transaction = Optional.empty();
  private Optional<KeyedRequest> keyed = Optional.empty();

  private Request(String method, String path) {
    this.method = method;
    this.path = path;
  }

  /** Ask for {@code path}, which is percent-encoded and has no query, with {@code method}. */
  public static Request of(String method, String path) {
    return new Request(method, path);
  }

  private Request with(Consumer<Request> change) {
    var copy = new Request(method, path);
    copy.query = query;
    copy.headers = headers;
    copy.body = body;
    copy.address = address;
    copy.certificate = certificate;
    copy.parts = parts;
    copy.parameters = parameters;
    copy.caller = caller;
    copy.present = present;
    copy.later = later;
    copy.withoutDatabase = withoutDatabase;
    copy.transaction = transaction;
    copy.keyed = keyed;
    change.accept(copy);
    return copy;
  }

  /** Return this request with a raw query, as it stands after the question mark. */
  public Request query(String query) {
    return with(copy -> copy.query = query);
  }

  /** Return this request with another header. */
  public Request header(String name, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(name.toLowerCase(Locale.ROOT), value);
    return with(copy -> copy.headers = Map.copyOf(more));
  }

  /** Return this request with these headers, by name in lower case, and no others. */
  Request headers(Map<String, String> headers) {
    return with(copy -> copy.headers = Map.copyOf(headers));
  }

  /** Return this request with a body. */
  public Request body(byte[] body) {
    return with(copy -> copy.body = body.clone());
  }

  /** Return this request with a body of JSON. */
  public Request body(String json) {
    return body(json.getBytes(StandardCharsets.UTF_8)).header("Content-Type", "application/json");
  }

  /** Return this request as it came from {@code address}. */
  public Request from(String address) {
    return with(copy -> copy.address = address);
  }

  /** Return this request as sent by the holder of {@code certificate}. */
  public Request certificate(X509Certificate certificate) {
    return with(copy -> copy.certificate = Optional.of(certificate));
  }

  Request parts(Map<String, String> parts) {
    return with(copy -> copy.parts = parts);
  }

  Request parameters(Map<String, String> parameters) {
    return with(copy -> copy.parameters = parameters);
  }

  /** Return this request as sent by {@code caller}. */
  public Request by(Caller caller) {
    return with(copy -> copy.caller = caller);
  }

  /** Return this request as sent by a client that waits as long as {@code present} says so. */
  public Request present(BooleanSupplier present) {
    return with(copy -> copy.present = present);
  }

  /** Where a reply that is not known at once is made. */
  interface LaterReplies {
    <T> T making(Supplier<T> work);
  }

  /** Return this request as one whose later reply is made by {@code later}. */
  Request later(LaterReplies later) {
    return with(copy -> copy.later = later);
  }

  /**
   * Do {@code work}, which makes the reply known that was not known at once, if there is memory for
   * it now.
   *
   * @throws ProblemException if there is none; nothing is done then
   */
  public <T> T makingLater(Supplier<T> work) {
    return later.making(work);
  }

  /** Return this request as one that is answered also while the database is away. */
  public Request withoutDatabase() {
    return with(copy -> copy.withoutDatabase = true);
  }

  /** Return whether it is answered also while the database is away. */
  public boolean isWithoutDatabase() {
    return withoutDatabase;
  }

  /** Return this request as one that takes effect in {@code tx}. */
  Request in(Transaction tx) {
    return with(copy -> copy.transaction = Optional.of(tx));
  }

  /** Return the transaction in which all that is done for this request belongs, if there is one. */
  public Optional<Transaction> transaction() {
    return transaction;
  }

  /** Return this request as one that takes effect once, in transactions of its own. */
  Request keyed(KeyedRequest once) {
    return with(copy -> copy.keyed = Optional.of(once));
  }

  /** Return what makes this request take effect once, if its route has batches and it has a key. */
  public Optional<KeyedRequest> keyed() {
    return keyed;
  }

  /** Return the HTTP method, in capitals. */
  public String method() {
    return method;
  }

  /** Return the path as it was sent. */
  public String path() {
    return path;
  }

  /** Return the query as it was sent. */
  public String query() {
    return query;
  }

  /** Return the header called {@code name}, in whatever case. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }

  /** Return the body; empty if there is none. */
  public byte[] body() {
    return body.clone();
  }

  /** Tell whether the body is of {@code mediaType}. */
  public boolean isOf(String mediaType) {
    return MediaTypes.isOf(mediaType, this);
  }

  /** Return whether there is a body. */
  public boolean hasBody() {
    return body.length > 0;
  }

  /** Return the address of the client. */
  public String address() {
    return address;
  }

  /** Return the certificate the client has shown, if any. */
  public Optional<X509Certificate> certificate() {
    return certificate;
  }

  /** Return the part of the path that the route calls {@code name}. */
  public String part(String name) {
    String value = parts.get(name);
    if (value == null) {
      throw new IllegalStateException("the route has no part called " + name);
    }
    return value;
  }

  /** Return the query parameter called {@code name}. */
  public Optional<String> parameter(String name) {
    return Optional.ofNullable(parameters.get(name));
  }

  /** Return whether the client still waits for the answer, as far as that can be known. */
  public boolean isPresent() {
    return present.getAsBoolean();
  }

  /** Return who sent the request. */
  public Caller caller() {
    return caller;
  }
}
