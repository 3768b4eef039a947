package dev.carillon.store.run;

import dev.carillon.model.ChangedBy;
import dev.carillon.model.RunId;
import dev.carillon.policy.Overlap;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.RunStore.AdHoc;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Ad-hoc runs with an overlap key or a request id.
 *
 * <p>Runs with the same overlap key have the same schedule number and so share a lane. The number
 * is a hash of the key, above all numbers of the sequence. Keys with the same hash wait for each
 * other.
 */
final class AdHocRunStore {
  private static final long UPPER_HALF = 1L << 45;
  private static final Duration REQUEST_RETENTION = Duration.ofDays(30);
  private static final int MAX_SWEPT = 5;
  private static final Overlap QUEUED = Overlap.queue(Overlap.MAX_QUEUE);

  private final Transaction tx;

  AdHocRunStore(Transaction tx) {
    this.tx = tx;
  }

  /** Insert a run, unless its request id names one already, and return its id. */
  RunId enqueue(AdHoc run, ChangedBy by) {
    Optional<RunId> known = run.requestId().flatMap(this::find);
    if (known.isPresent()) {
      return known.get();
    }
    RunId id = run.overlapKey().map(key -> inLane(key, run.slot())).orElseGet(() -> fresh(run));
    if (run.requestId().isPresent() && !remember(run.requestId().get(), id, by.at())) {
      return find(run.requestId().get()).orElseThrow();
    }
    insert(id, run, by);
    return id;
  }

  private Optional<RunId> find(String requestId) {
    return tx.first(
        "find a request",
        """
        select schedule_id, slot, 0 as ordinal
          from carillon.request
         where id = :id
        """,
        bind -> bind.set("id", requestId),
        RunRows::toId);
  }

  /* Waits for a transaction that inserts the same request id. */
  private boolean remember(String requestId, RunId run, Instant now) {
    tx.update(
        "sweep requests",
        """
        delete from carillon.request
         where ctid = any (array(select ctid
                                   from carillon.request
                                  where received_at < :oldest
                                  order by received_at
                                  limit :limit
                                    for update skip locked))
        """,
        bind -> bind.set("oldest", now.minus(REQUEST_RETENTION)).set("limit", MAX_SWEPT));
    return tx.update(
            "remember a request",
            """
            insert into carillon.request (id, schedule_id, slot, received_at)
            values (:id, :schedule, :slot, :now)
                on conflict do nothing
            """,
            bind ->
                bind.set("id", requestId)
                    .set("schedule", run.schedule())
                    .set("slot", run.slot())
                    .set("now", now))
        == 1;
  }

  private RunId fresh(AdHoc run) {
    return tx.one(
        "number an ad-hoc run",
        "select nextval('carillon.schedule_id_seq') as number",
        row -> new RunId(row.number("number"), run.slot(), 0));
  }

  private RunId inLane(String overlapKey, Instant wanted) {
    long lane = lane(overlapKey);
    tx.query(
        "lock an overlap key",
        "select pg_advisory_xact_lock(:lane)::text as locked", // against other choices of a slot
        bind -> bind.set("lane", lane),
        row -> true);
    sweepLanes(lane);
    return new RunId(lane, freeSlot(lane, wanted.truncatedTo(ChronoUnit.MICROS)), 0);
  }

  /* Runs with the same key and time get slots one microsecond apart. */
  private Instant freeSlot(long lane, Instant wanted) {
    Instant free = wanted;
    for (Instant taken : takenFrom(lane, wanted)) {
      if (taken.isAfter(free)) {
        break;
      }
      free = taken.plus(1, ChronoUnit.MICROS);
    }
    return free;
  }

  private List<Instant> takenFrom(long lane, Instant from) {
    return tx.query(
        "find slots of an overlap key",
        """
        select slot
          from carillon.any_run
         where schedule_id = :lane
           and slot >= :from
           and slot < :from + interval '1 second'
         order by slot
        """,
        bind -> bind.set("lane", lane).set("from", from),
        row -> row.instant("slot"));
  }

  /* Deletes unused lanes of other keys: more than each run adds. */
  private void sweepLanes(long lane) {
    tx.update(
        "sweep lanes of overlap keys",
        """
        delete from carillon.lane
         where ctid = any (array(select ctid
                                   from carillon.lane
                                  where id > :lane
                                    and slot is null
                                    and not exists (select 1 from carillon.run where schedule_id = lane.id)
                                  order by id
                                  limit :limit
                                    for update skip locked))
        """,
        bind -> bind.set("lane", lane).set("limit", MAX_SWEPT));
  }

  static long lane(String overlapKey) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(overlapKey.getBytes(StandardCharsets.UTF_8));
      return UPPER_HALF | (ByteBuffer.wrap(hash).getLong() & (UPPER_HALF - 1));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  private void insert(RunId id, AdHoc run, ChangedBy by) {
    boolean exclusive = run.overlapKey().isPresent();
    tx.update(
        "enqueue a named run",
        """
        insert into carillon.run
               (schedule_id, slot, version, trigger, target, payload, due_at, wake_at, lane, overlap, policy,
                correlation, created_by)
        values (:number, :slot, 0, 'ad_hoc', :target, :payload::jsonb, :dueAt, :dueAt, :lane, :overlap,
                :policy::jsonb, :correlation, :by)
        """,
        bind ->
            bind.set("number", id.schedule())
                .set("slot", id.slot())
                .set("target", run.target())
                .set("payload", run.payload().json())
                .set("dueAt", run.dueAt())
                .set("lane", exclusive ? Optional.of(id.schedule()) : Optional.empty())
                .set("overlap", exclusive ? RunPolicyJson.stored(QUEUED) : Optional.empty())
                .set("policy", RunPolicyJson.of(run.policy()))
                .set("correlation", run.correlation())
                .set("by", by.by()));
    DeadlineStore.insert(tx, run.deadline(id).stream().toList());
  }
}
