/** Schedules: definitions, versions, pauses, and the slots a change leaves unplanned. */
@NullMarked
package dev.carillon.store.schedule;

import org.jspecify.annotations.NullMarked;
