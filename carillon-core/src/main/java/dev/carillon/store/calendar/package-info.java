/** Calendars and quiet hours. Not part of the public API. */
@NullMarked
package dev.carillon.store.calendar;

import org.jspecify.annotations.NullMarked;
