/**
 * Business time: calendars of business days and working hours, quiet hours, and timings by them.
 */
@NullMarked
package dev.carillon.time.business;

import org.jspecify.annotations.NullMarked;
