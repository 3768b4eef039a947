/** Knows when: cron expressions, intervals, one-shots and what daylight saving does to them. */
@NullMarked
package dev.carillon.time;

import org.jspecify.annotations.NullMarked;
