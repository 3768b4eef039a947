package dev.carillon.store.run;

import dev.carillon.model.RunId;
import dev.carillon.plan.Lane;
import dev.carillon.policy.Overlap;
import dev.carillon.store.jdbc.Transaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.stream.Collectors;

/** Lanes, which let runs of a schedule run one at a time. */
public final class LaneStore {
  /** The stored overlap rule of runs that wait without a limit. */
  public static final String IN_TURN = RunPolicyJson.of(Overlap.IN_TURN);

  /** The stored overlap rule of runs that replace an unfinished one. */
  public static final String REPLACING = RunPolicyJson.of(Overlap.CANCEL_PREVIOUS);

  /** Create missing lanes, and lock those that no other node has locked. */
  public Map<Long, Lane> lock(Transaction tx, SortedSet<Long> lanes) {
    if (lanes.isEmpty()) {
      return Map.of();
    }
    var missing = new ArrayList<>(lanes);
    tx.later(
        "find lanes",
        """
        select id
          from carillon.lane
         where id = any(:lanes)
        """,
        bind -> bind.array("lanes", "bigint", lanes, lane -> lane),
        row -> missing.remove(row.number("id")));
    List<Lane> locked = lockExisting(tx, lanes);
    if (!missing.isEmpty() && create(tx, missing) > 0) {
      locked = lockExisting(tx, lanes);
    }
    return locked.stream().collect(Collectors.toMap(Lane::id, lane -> lane));
  }

  private List<Lane> lockExisting(Transaction tx, Collection<Long> lanes) {
    return tx.query(
        "lock lanes",
        """
        select id, slot, ordinal,
               case when slot is not null
                    then coalesce((select overlap = :inTurn
                                     from carillon.run
                                    where schedule_id = lane.id
                                      and run.slot = lane.slot
                                      and run.ordinal = lane.ordinal), false)
                    else false end as firm,
               case when slot is not null and contended
                    then (select count(*)
                            from carillon.run
                           where schedule_id = lane.id
                             and run.lane is not null
                             and run.state = 'pending'
                             and run.wake_at is null
                             and run.overlap <> :inTurn)
                    else 0 end as waiting
          from carillon.lane  -- against other claims and against finishing, which frees the lane
         where id = any(:lanes)
         order by id
           for update skip locked
        """,
        bind -> bind.set("inTurn", IN_TURN).array("lanes", "bigint", lanes, lane -> lane),
        row ->
            new Lane(
                row.number("id"),
                row.optionalInstant("slot")
                    .map(slot -> new RunId(row.number("id"), slot, row.integer("ordinal"))),
                row.flag("firm"),
                Math.toIntExact(row.number("waiting"))));
  }

  /** Create lanes in order, so that two nodes that create the same ones do not deadlock. */
  public int create(Transaction tx, List<Long> lanes) {
    return tx.update(
        "create lanes",
        """
        insert into carillon.lane (id)
        select id
          from unnest(:lanes) as lane (id)
         order by id
            on conflict do nothing
        """,
        bind -> bind.array("lanes", "bigint", lanes, lane -> lane));
  }
}
