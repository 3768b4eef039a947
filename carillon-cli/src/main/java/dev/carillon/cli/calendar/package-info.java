/** The commands for calendars, quiet hours and freezes. */
@NullMarked
package dev.carillon.cli.calendar;

import org.jspecify.annotations.NullMarked;
