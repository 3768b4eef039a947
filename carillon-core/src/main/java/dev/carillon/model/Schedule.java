package dev.carillon.model;

import java.time.Instant;
import java.util.Optional;

/**
 * A schedule as it stands.
 *
 * @param id its number, used inside the store
 * @param key its name
 * @param version the number of its current definition
 * @param status whether it fires
 * @param completed whether it is retired because it had no slot left
 * @param pause why it does not, if it is paused
 * @param plannedPause from when it will not, if it is active and a pause is to come
 * @param definition what runs when
 * @param created by whom and when it was created
 * @param updated by whom and when it was last changed
 * @param nextSlot the next slot that is not planned yet; empty if there is none for now
 */
public record Schedule(
    long id,
    String key,
    int version,
    ScheduleStatus status,
    boolean completed,
    Optional<Pause> pause,
    Optional<Pause> plannedPause,
    Definition definition,
    ChangedBy created,
    ChangedBy updated,
    Optional<Instant> nextSlot) {}
