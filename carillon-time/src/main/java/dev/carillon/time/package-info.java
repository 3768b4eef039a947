/** Computes when schedules fire: by cron expressions, intervals and single instants. */
@NullMarked
package dev.carillon.time;

import org.jspecify.annotations.NullMarked;
