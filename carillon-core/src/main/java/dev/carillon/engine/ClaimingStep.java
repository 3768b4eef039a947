package dev.carillon.engine;

import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.plan.Admission;
import dev.carillon.plan.Admission.Admitted;
import dev.carillon.plan.Admission.Answer;
import dev.carillon.plan.Admission.Replaced;
import dev.carillon.plan.Lane;
import dev.carillon.store.AftermathStore;
import dev.carillon.store.AftermathStore.Unstarted;
import dev.carillon.store.ClaimStore;
import dev.carillon.store.ClaimStore.Due;
import dev.carillon.store.ClaimStore.Wanted;
import dev.carillon.store.Holder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Claims runs the moment they are due, as many as this node has room for, and starts them. */
final class ClaimingStep implements Step {
  private static final String OVERLAP = "an earlier run of the schedule was unfinished";
  private static final String REPLACED = "replaced by a newer run";
  private static final Instant ALWAYS = Instant.EPOCH.minusSeconds(1);
  private static final Duration SOON = Duration.ofMillis(20);

  /* Behind a backlog, what has just become due is looked for this often. */
  private static final Duration FAIR = Duration.ofMillis(50);

  private final Parts parts;
  private final ClaimStore claims;
  private final AftermathStore aftermath;
  private final Membership membership;
  private final Capacity capacity;
  private final Dispatcher dispatcher;
  private final InFlight inFlight;
  private final Lead lead;
  private Instant lastTurn = ALWAYS;
  private boolean backlog;
  private boolean doubt;

  /* When the next run is due as far as was seen; there may be others by now. */
  private Optional<Instant> expected = Optional.of(ALWAYS);

  ClaimingStep(
      Parts parts,
      ClaimStore claims,
      AftermathStore aftermath,
      Membership membership,
      Targets targets,
      InFlight inFlight,
      Dispatcher dispatcher) {
    this.parts = parts;
    this.claims = claims;
    this.aftermath = aftermath;
    this.membership = membership;
    this.inFlight = inFlight;
    this.dispatcher = dispatcher;
    this.lead = new Lead(parts.settings().claimAhead());
    this.capacity = new Capacity(targets, inFlight, parts.settings().concurrency());
  }

  /* What a claim did, told and launched once it is durable. */
  private record Claimed(
      List<Run> started,
      boolean skipped,
      Map<String, Integer> seen,
      boolean left,
      Optional<Instant> judgedAt) {
    static final Claimed NOTHING = new Claimed(List.of(), false, Map.of(), false, Optional.empty());

    boolean changed() {
      return !started.isEmpty() || skipped;
    }
  }

  @Override
  public Duration run(Instant now) {
    if (!membership.holds(now)) {
      return parts.settings().poll();
    }
    Holder holder = membership.holder();
    if (doubt) {
      giveBackUnknown(holder, now);
    }
    Map<String, Integer> free = capacity.free();
    if (free.isEmpty()) {
      return parts.settings().poll();
    }
    Instant until = lead.until(now);
    if (!backlog && isAfter(expected, until)) {
      expected = claims.nextWake(free.keySet(), ALWAYS);
      if (isAfter(expected, until)) { // mostly so, and that should cost little
        return untilExpected(Stream.empty(), now);
      }
    }
    boolean newcomersFirst = backlog && !until.isBefore(lastTurn.plus(FAIR));
    if (newcomersFirst) {
      claim(holder, new Wanted(halves(free), lastTurn, until), now);
      free = capacity.free();
    }
    if (newcomersFirst || !backlog) {
      lastTurn = until;
    }
    Claimed claimed =
        free.isEmpty() ? Claimed.NOTHING : claim(holder, new Wanted(free, ALWAYS, until), now);
    return rest(free, claimed, until, now);
  }

  private Duration rest(Map<String, Integer> free, Claimed claimed, Instant until, Instant now) {
    Set<String> usedUp =
        free.entrySet().stream()
            .filter(entry -> claimed.seen.getOrDefault(entry.getKey(), 0) >= entry.getValue())
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    capacity.usedUp(usedUp);
    backlog = !usedUp.isEmpty() || free.isEmpty();
    if (claimed.changed()) {
      lead.claimed(now, parts.time().instant(), backlog);
    }
    if (!usedUp.isEmpty()) {
      return claimed.changed() ? Duration.ZERO : SOON;
    }
    if (claimed.left) {
      return SOON;
    }
    expected = claims.nextWake(free.keySet(), until);
    return untilExpected(claimed.judgedAt.stream(), now);
  }

  private Duration untilExpected(Stream<Instant> sooner, Instant now) {
    return Stream.concat(sooner, expected.map(lead::before).stream())
        .map(at -> Duration.between(now, at))
        .reduce(parts.settings().poll(), (one, other) -> one.compareTo(other) < 0 ? one : other);
  }

  private static boolean isAfter(Optional<Instant> moment, Instant until) {
    return moment.filter(at -> !at.isAfter(until)).isEmpty();
  }

  private static Map<String, Integer> halves(Map<String, Integer> free) {
    var halves = new HashMap<String, Integer>();
    free.forEach((label, room) -> halves.put(label, Math.max(1, room / 2)));
    return halves;
  }

  /* A claim whose commit was not confirmed may have happened: what it took is then unknown to this
   * node, and is given back in the next turn. */
  private Claimed claim(Holder holder, Wanted wanted, Instant now) {
    doubt = true;
    Claimed claimed =
        parts.inTransaction(() -> judge(holder, claims.due(holder, wanted, now), now));
    doubt = false;
    dispatcher.launch(holder, claimed.started, parts.time().instant());
    return claimed;
  }

  private Claimed judge(Holder holder, List<Due> due, Instant now) {
    if (due.isEmpty()) {
      return Claimed.NOTHING;
    }
    var started = new ArrayList<Run>();
    var inLanes = new ArrayList<Due>();
    Optional<Instant> judgedAt = Optional.empty();
    for (Due one : due) {
      if (one.run().state() == RunState.RUNNING) {
        started.add(one.run());
      } else if (!one.wakeAt().isAfter(now)) {
        inLanes.add(one);
      } else if (judgedAt.filter(at -> at.isBefore(one.wakeAt())).isEmpty()) {
        judgedAt = Optional.of(one.wakeAt()); // its lane may be free by then
      }
    }
    var seen = new HashMap<String, Integer>();
    due.forEach(one -> seen.merge(one.run().target(), 1, Integer::sum));
    if (inLanes.isEmpty()) {
      return new Claimed(started, false, seen, false, judgedAt);
    }
    var lanes = new TreeSet<Long>();
    inLanes.forEach(one -> lanes.add(one.run().id().schedule()));
    Map<Long, Lane> locked = claims.lock(lanes);
    Admission admission =
        Admission.judge(inLanes.stream().map(Due::run).toList(), locked, behind(inLanes));
    boolean skipped = skip(admission, now);
    started.addAll(claims.start(holder, with(admission, Answer.START), now));
    claims.park(with(admission, Answer.WAIT));
    replace(admission, now);
    return new Claimed(started, skipped, seen, !with(admission, Answer.LEAVE).isEmpty(), judgedAt);
  }

  /* The oldest due run of a lane may be in another node's hands; those after it then wait a moment. */
  private static Set<RunId> behind(List<Due> due) {
    var here = new HashSet<String>();
    due.forEach(one -> here.add(one.run().id().schedule() + "@" + one.run().slot()));
    return due.stream()
        .filter(
            one ->
                one.oldest()
                    .filter(slot -> !here.contains(one.run().id().schedule() + "@" + slot))
                    .isPresent())
        .map(one -> one.run().id())
        .collect(Collectors.toSet());
  }

  private static List<Run> with(Admission admission, Answer answer) {
    return admission.judged().stream()
        .filter(one -> one.answer() == answer)
        .map(Admitted::run)
        .toList();
  }

  /* Before others start: a run that makes way for one of them leaves it the lane, which is then not
   * for one that was parked before. What was tried before is not skipped any more, but canceled. */
  private boolean skip(Admission admission, Instant now) {
    for (RunId replacing : replacing(admission)) {
      aftermath.end(claims.parked(replacing), RunState.SKIPPED, REPLACED, now);
    }
    List<Unstarted> skipped =
        admission.judged().stream()
            .filter(one -> one.answer() == Answer.SKIP)
            .map(ClaimingStep::skipped)
            .toList();
    aftermath.end(skipped, now);
    return !skipped.isEmpty();
  }

  private static Unstarted skipped(Admitted admitted) {
    return new Unstarted(
        admitted.run().id(),
        admitted.run().attempt() == 0 ? RunState.SKIPPED : RunState.CANCELED,
        admitted.reason().orElse(OVERLAP));
  }

  /* Runs that wait for the end of a holder, and those that start in place of one. */
  private static List<RunId> replacing(Admission admission) {
    Set<Long> freed =
        admission.judged().stream()
            .filter(one -> one.reason().filter(REPLACED::equals).isPresent())
            .map(one -> one.run().id().schedule())
            .collect(Collectors.toSet());
    Stream<RunId> starting =
        with(admission, Answer.START).stream()
            .map(Run::id)
            .filter(id -> freed.contains(id.schedule()));
    return Stream.concat(admission.replaced().stream().map(Replaced::by), starting).toList();
  }

  /* A holder that waits for its retry ends here; one that runs is asked to stop. */
  private void replace(Admission admission, Instant now) {
    List<RunId> holders = admission.replaced().stream().map(Replaced::holder).toList();
    aftermath.end(claims.lockPending(holders), RunState.CANCELED, REPLACED, now);
    claims.askToStop(holders, REPLACED);
  }

  /* A lease that ends meanwhile makes this node forget what it has started; what is unknown then is
   * not what was never started, and is left to recovery. */
  private void giveBackUnknown(Holder holder, Instant now) {
    doubt =
        !parts.inTransaction(
            () -> {
              List<Run> unknown =
                  claims.heldBy(holder).stream().filter(run -> !isInHand(run)).toList();
              boolean sure =
                  membership.holder().equals(holder) && membership.holds(parts.time().instant());
              if (sure) {
                parts.settles().giveBack(holder, unknown, now);
              }
              return sure;
            });
  }

  /* An earlier attempt of the run may still be in hand, its end not written. */
  private boolean isInHand(Run run) {
    return inFlight
        .find(run.id())
        .filter(attempt -> attempt.attempt() == run.attempt())
        .isPresent();
  }
}
