/** Calendars and quiet hours, and the rules they make. */
@NullMarked
package dev.carillon.store.calendar;

import org.jspecify.annotations.NullMarked;
