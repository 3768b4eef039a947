package dev.carillon.server.web;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A line of the route table: method and path, the role it needs, what it takes and answers, and the
 * function that does it. A GET also answers HEAD.
 */
public final class Route {
  private final Draft draft;
  private final Function<Request, Reply> handler;

  private Route(Draft draft, Function<Request, Reply> handler) {
    this.draft = draft;
    this.handler = handler;
  }

  /** Begin a route that reads. */
  public static Draft get(String path, Role role, String operation) {
    return new Draft("GET", path, role, operation);
  }

  /**
   * Begin a route that does something. With an {@code Idempotency-Key} it does so in {@link
   * Request#transaction}, once.
   */
  public static Draft post(String path, Role role, String operation) {
    return new Draft("POST", path, role, operation);
  }

  /** Begin a route that stores what it is given. */
  public static Draft put(String path, Role role, String operation) {
    return new Draft("PUT", path, role, operation);
  }

  /** Begin a route that changes something by a JSON merge patch. */
  public static Draft patch(String path, Role role, String operation) {
    return new Draft("PATCH", path, role, operation);
  }

  /** Begin a route that removes. */
  public static Draft delete(String path, Role role, String operation) {
    return new Draft("DELETE", path, role, operation);
  }

  /** Return the HTTP method. */
  public String method() {
    return draft.method;
  }

  /** Return the path, with the names of its variable parts in braces. */
  public String path() {
    return draft.path;
  }

  /** Return the role it needs. */
  public Role role() {
    return draft.role;
  }

  /** Return its name in the OpenAPI document. */
  public String operation() {
    return draft.operation;
  }

  /** Return what it does, in a line. */
  public String summary() {
    return draft.summary;
  }

  /** Return its query parameters. */
  public List<QueryParameter> parameters() {
    return List.copyOf(draft.parameters);
  }

  /** Return the name of the schema of its body; empty if it takes none. */
  public Optional<String> takes() {
    return draft.takes;
  }

  /** Return whether it does nothing without a body. */
  public boolean needsBody() {
    return draft.needsBody;
  }

  /** Return the names of the schemas of its answers by status; empty for no content. */
  public Map<Integer, String> answers() {
    return Map.copyOf(draft.answers);
  }

  /** Return the media type of its answers. */
  public String mediaType() {
    return draft.mediaType;
  }

  /** Return the other media type than JSON that its body may have; empty if there is none. */
  public Optional<String> alsoTakes() {
    return draft.alsoTakes;
  }

  /** Return whether its answer must not be stored, not even to be repeated. */
  public boolean secret() {
    return draft.secret;
  }

  /** Return whether repeating it needs no key, so that it does not look at one. */
  public boolean repeatable() {
    return draft.repeatable;
  }

  /** Return whether it takes effect in several transactions. */
  public boolean inBatches() {
    return draft.inBatches;
  }

  /** Return whether it is answered also while the database is away. */
  public boolean withoutDatabase() {
    return draft.withoutDatabase;
  }

  /** Return what callers whose scope leaves something out reach by it. */
  public Reach reach() {
    return draft.reach.orElseThrow();
  }

  /** Return whether threads are kept to answer it. */
  boolean reserved() {
    return draft.reserved;
  }

  /** Return whether it takes any query, and reads none of it. */
  boolean anyQuery() {
    return draft.anyQuery;
  }

  /** Return whether it answers a page of a list. */
  boolean paged() {
    return draft.paged;
  }

  /** Return whether it reads all of a list for a page of it. */
  boolean readsAll() {
    return draft.readsAll;
  }

  Reply answer(Request request) {
    return handler.apply(request);
  }

  @Override
  public String toString() {
    return method() + " " + path();
  }

  /** A route that is being described; its last answer, with a handler, makes it. */
  public static final class Draft {
    private final String method;
    private final String path;
    private final Role role;
    private final String operation;
    private String summary = "";
    private final List<QueryParameter> parameters = new ArrayList<>();
    private Optional<String> takes = Optional.empty();
    private Optional<String> alsoTakes = Optional.empty();
    private boolean needsBody;
    private final Map<Integer, String> answers = new TreeMap<>();
    private String mediaType = "application/json";
    private boolean secret;
    private boolean repeatable;
    private boolean inBatches;
    private boolean withoutDatabase;
    private Optional<Reach> reach;
    private boolean reserved;
    private boolean paged;
    private boolean readsAll;
    private boolean anyQuery;

    private Draft(String method, String path, Role role, String operation) {
      this.method = method;
      this.path = path;
      this.role = Objects.requireNonNull(role, () -> method + " " + path + " needs a role");
      this.operation = operation;
      // Nobody without a sign-in has a scope, and no administrator.
      this.reach =
          switch (role) {
            case OPEN -> Optional.of(Reach.ALL);
            case ADMIN -> Optional.of(Reach.NOTHING);
            default -> Optional.empty();
          };
    }

    /** Say what callers whose scope leaves something out reach by it. */
    public Draft reach(Reach reach) {
      this.reach = Optional.of(reach);
      return this;
    }

    /** Say in a line what it does. */
    public Draft summary(String summary) {
      this.summary = summary;
      return this;
    }

    /** Accept a query parameter; others are refused. */
    public Draft query(QueryParameter parameter) {
      parameters.add(parameter);
      return this;
    }

    /** Accept {@code limit} and {@code cursor}. */
    public Draft paged() {
      paged = true;
      return query(QueryParameter.whole("limit", 1, 500, "At most so many; 50 unless said."))
          .query(QueryParameter.text("cursor", "Where the page before ended: its nextCursor."));
    }

    /** Say that all of the list is read for a page of it. */
    public Draft readsAll() {
      readsAll = true;
      return this;
    }

    /** Take any query, and read none of it: it is for the page that is answered. */
    public Draft anyQuery() {
      anyQuery = true;
      return this;
    }

    /** Need a body of the schema called {@code schema}. */
    public Draft takes(String schema) {
      takes = Optional.of(schema);
      needsBody = true;
      return this;
    }

    /** Accept a body of another media type than JSON as well. */
    public Draft alsoTakes(String mediaType) {
      alsoTakes = Optional.of(mediaType);
      return this;
    }

    /** Accept a body of the schema called {@code schema}, or none. */
    public Draft mayTake(String schema) {
      takes = Optional.of(schema);
      return this;
    }

    /** Answer {@code status} with the schema called {@code schema}; empty for no content. */
    public Draft answers(int status, String schema) {
      answers.put(status, schema);
      return this;
    }

    /** Answer with another media type than JSON. */
    public Draft as(String mediaType) {
      this.mediaType = mediaType;
      return this;
    }

    /** Answer with something that must not be stored: a repeated request is told so. */
    public Draft secret() {
      secret = true;
      return this;
    }

    /** Do a repeated request again, with a key or without: it does no harm. */
    public Draft repeatable() {
      repeatable = true;
      return this;
    }

    /** Take effect in several transactions, which the handler opens by {@link Request#keyed}. */
    public Draft inBatches() {
      inBatches = true;
      return this;
    }

    /** Answer also while the database is away, and at once. */
    public Draft withoutDatabase() {
      withoutDatabase = true;
      return this;
    }

    /** Answer also while all other threads and connections are in use; it must not block. */
    Draft reserved() {
      reserved = true;
      return this;
    }

    /** Make the route, which {@code handler} answers with {@code status} and {@code schema}. */
    public Route answers(int status, String schema, Function<Request, Reply> handler) {
      if (summary.isEmpty()) {
        throw new IllegalStateException("%s %s needs a summary".formatted(method, path));
      }
      if (reach.isEmpty()) {
        throw new IllegalStateException(
            "%s %s must say what callers with a scope reach".formatted(method, path));
      }
      return new Route(answers(status, schema), handler);
    }
  }

  /** Return its parameters of the path, in order. */
  public List<String> parts() {
    var names = new LinkedHashMap<String, Boolean>();
    for (String segment : path().split("/", -1)) {
      if (segment.startsWith("{")) {
        names.put(segment.substring(1, segment.length() - 1), true);
      }
    }
    return List.copyOf(names.keySet());
  }
}
