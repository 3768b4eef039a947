package dev.carillon.plan;

import dev.carillon.model.RunId;
import java.util.Optional;

/**
 * Where runs go one at a time.
 *
 * @param id its number
 * @param holder the run that has started and is not finished
 * @param waiting how many runs wait for it to end
 */
public record Lane(long id, Optional<RunId> holder, int waiting) {}
