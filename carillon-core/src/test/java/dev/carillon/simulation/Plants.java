package dev.carillon.simulation;

import dev.carillon.simulation.Wire.Fate;
import java.util.stream.Stream;

/** Bugs that a scheduler may have, each with the laws it breaks. */
final class Plants {
  private Plants() {}

  static Stream<Plant> all() {
    return Stream.of(
        Plant.bug("whatever was planned for a time without a node is left out")
            .say("where run.due < judged.oldest or run.place > judged.most", "")
            .breaking("caught up"),
        Plant.bug("the cursor is advanced in another transaction than its runs are written")
            .splitting("as advanced (id, planned_through")
            .striking("as advanced (id, planned_through", Fate.LOST_BEFORE)
            .breaking("unique", "decision once", "run or decision", "most runs"),
        Plant.bug("dropped slots are not recorded")
            .say(
                "as line (schedule_id, first_slot, last_slot, slots, reason, version, policy, merged_into)",
                "as line (schedule_id, first_slot, last_slot, slots, reason, version, policy, merged_into) where false")
            .breaking("complete"),
        Plant.bug("slots that are part of another run are forgotten")
            .say(
                "as line (schedule_id, first_slot, last_slot, slots, reason, version, policy, merged_into)",
                "as line (schedule_id, first_slot, last_slot, slots, reason, version, policy, merged_into) where line.reason <> 'merged'")
            .breaking("complete"),
        Plant.bug("quiet hours skip slots without a decision")
            .say(
                "as line (schedule_id, first_slot, last_slot, slots, reason, version, policy, merged_into)",
                "as line (schedule_id, first_slot, last_slot, slots, reason, version, policy, merged_into) where line.reason <> 'quiet_hours'")
            .breaking("complete"),
        Plant.bug("a stretch that goes on forgets how it began")
            .say("slots = decision.slots + line.slots", "slots = line.slots")
            .breaking("decision exact"),
        Plant.bug("an edit leaves decisions about slots to come")
            .say(
                "where decision.last_slot > wanted.after",
                "where false and decision.last_slot > wanted.after")
            .breaking("decision once", "run or decision"),
        Plant.bug("runs are not counted against their most")
            .say("planned_runs = advanced.planned_runs", "planned_runs = 0")
            .breaking("most runs"),
        Plant.bug("ends are written without a fence")
            .say("and run.node_id = ?  -- fence", "and (run.node_id = ? or true)  -- fence")
            .say("and run.node_epoch = ?", "and (run.node_epoch = ? or true)")
            .say("and run.attempt = verdict.attempt", "")
            .freezing()
            .breaking("fenced"),
        Plant.bug("runs are launched before their claim is durable")
            .striking("for key share", Fate.FORGOTTEN)
            .breaking("one node at a time", "counted when claimed"),
        Plant.bug("attempts are not counted when claimed")
            .say("attempt = run.attempt + 1", "attempt = run.attempt")
            .breaking("one node at a time"),
        Plant.bug("runs that are claimed before they are due start at once")
            .say("greatest(?, run.wake_at)", "?")
            .breaking("never early"),
        Plant.bug("nodes go by their own clock").ownClock().breaking("never early"),
        Plant.bug("a lane is entered although it is held")
            .say("and (slot is null or", "and (true or")
            .breaking("no overlap"),
        Plant.bug("a lane is not freed by the end of its run")
            .say("set slot = null, ordinal = null", "set slot = lane.slot, ordinal = lane.ordinal")
            .breaking("lane"),
        Plant.bug("a claim in doubt is not given back")
            .say("and run.attempt = claimed.attempt", "and false")
            .striking("for key share", Fate.LOST_AFTER)
            .breaking("left behind"),
        Plant.bug("an interval after the end of a run does not repeat")
            .say("and cursor.next_slot is null", "and false")
            .breaking("goes on"),
        Plant.bug("what was accepted elsewhere stays with its node")
            .say(
                "set node_epoch = ?, started_at = accepted",
                "set node_epoch = coalesce(run.node_epoch, ?), started_at = accepted")
            .breaking("outlives its node", "one node at a time"),
        Plant.bug("nobody takes runs from workers that fell silent")
            .say("where run.expires_at <= ?", "where run.expires_at <= ? and false")
            .breaking("left behind"),
        Plant.bug("deadlines are not written with their runs")
            .say(
                "as given (schedule_id, slot, ordinal, version, at, escalate_to)",
                "as given (schedule_id, slot, ordinal, version, at, escalate_to) where false")
            .breaking("escalated if late"),
        Plant.bug("a deadline that was judged stays")
            .say(
                "where deadline.schedule_id = judged.schedule_id",
                "where false and deadline.schedule_id = judged.schedule_id")
            .breaking("escalated once", "comes to rest"),
        Plant.bug("replanning leaves the due times of runs that wait")
            .say(
                "set due_at = moved.due_at, wake_at = moved.due_at",
                "set due_at = run.due_at, wake_at = run.wake_at")
            .fromStory(90)
            .breaking("by the rules", "business time"),
        Plant.bug("nobody replans after a change of a calendar or of quiet hours")
            .say("and schedule.id > ?", "and schedule.id > ? and false")
            .breaking("by the rules", "business time"),
        Plant.bug("nodes go on planning by the calendars of before")
            .say(
                "set revision = business_time.revision + 1",
                "set revision = business_time.revision")
            .breaking("by the rules", "business time"),
        Plant.bug("a freeze of everything lets start what is late")
            .say("or version.tags && ?", "and false and version.tags && ?")
            .fromStory(200)
            .breaking("held back"),
        Plant.bug("runs of a dead node stay with it")
            .say("where run.state = 'running'", "where false")
            .breaking("left behind"));
  }
}
